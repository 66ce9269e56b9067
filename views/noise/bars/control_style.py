"""The style of the buttons and sliders of the noise pane."""

from __future__ import annotations

from views.theme import Theme


def control_style(theme: Theme) -> str:
    """Return the style sheet of the pane: Fusion shows a checked button by a shade that a projector swallows."""
    size, groove = theme.px(14), theme.px(3)
    return f"""
        QToolButton {{ color: {theme.text}; background: {theme.background}; border: 1px solid {theme.hairline};
                       border-radius: {theme.px(4)}px; padding: {theme.px(2)}px {theme.px(4)}px; }}
        QToolButton:hover, QToolButton:focus {{ border-color: {theme.focus}; }}
        QToolButton:checked {{ color: {theme.selection_text}; background: {theme.selection}; }}
        QSlider::groove:horizontal {{ height: {groove}px; background: {theme.hairline}; }}
        QSlider::handle:horizontal {{ width: {size}px; margin: -{(size - groove) // 2}px 0;
                                      border-radius: {size // 2}px; background: {theme.dim}; }}
        QSlider::handle:horizontal:focus {{ background: {theme.focus}; }}
        QSlider::handle:horizontal:disabled {{ background: {theme.hairline}; }}
    """
