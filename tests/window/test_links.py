"""A web address opens in the browser after a person has seen it and agreed; nothing else opens at all."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from tests.window.place import Place


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What went to the browser."""
    urls: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url.toEncoded().data().decode()))
    return urls


@pytest.mark.parametrize("agrees", [True, False])
def test_a_web_address_is_shown_and_asked_about(
    place: Place, opened: list[str], monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    shown: list[str] = []

    def answer(box: QMessageBox) -> int:
        shown.append(box.informativeText())
        return 0 if agrees else QMessageBox.StandardButton.Cancel.value

    monkeypatch.setattr(QMessageBox, "exec", answer)
    place.window.story.link_wanted.emit("https://한글.example/a%20b")
    place.window.code.link_wanted.emit("https://docs.jax.dev/x.html")
    assert shown == ["https://xn--bj0bj06e.example/a%20b", "https://docs.jax.dev/x.html"]
    assert opened == (shown if agrees else [])


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "smb://host/x",
        "data:text/html,x",
        "/etc",
        "http://",
        "x",
        "",
        "https://a.example/a b",
        "https://a.example/" + "b" * 500,
    ],
)
def test_nothing_else_is_opened_and_a_sentence_says_so(place: Place, opened: list[str], address: str) -> None:
    place.window.story.link_wanted.emit(address)
    assert opened == []
    assert "no web address" in place.window.notice.accessibleName()
