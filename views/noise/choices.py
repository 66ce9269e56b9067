"""resolve() makes of the user's NoiseChoices and the reports what each half of the noise pane shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from explorer.figures.row_letters import RowGroups
from explorer.focus.variant_names import shown_variant
from explorer.messages import Picture, Report
from explorer.text.text import Text
from views.noise.arrays.heat_colours import Scale, scale_of, scale_of_curves
from views.noise.arrays.picture_choice import PictureChoice, PictureOptions, PictureSlice, offer_for
from views.noise.pages.image_batch import image_axes
from views.noise.pages.page import Mode, PictureView
from views.noise.pages.scatter_page import partners

CLEARLY_AN_IMAGE = 16
"""Least pixels of the shorter side of an image, as opposed to a small matrix."""


class NoiseChoices(msgspec.Struct, frozen=True):
    """The user's choices; kept even while no report can show them."""

    picture: PictureChoice = msgspec.field(default_factory=PictureChoice)
    cut: PictureSlice | None = None
    """None for rows along the axis of the examples."""
    mode: Mode | None = None
    """None for the one that suits the picture best."""
    against: Text | str = ""
    """Name of the picture on the vertical axis of a scatter plot."""


class ResolvedHalves(msgspec.Struct, frozen=True):
    """The contents of each half."""

    offer: PictureOptions
    mode: Mode
    views: tuple[PictureView | None, ...]
    scale: Scale
    clips: bool
    """Whether the colours may end before the furthest values."""
    partners: tuple[Text | str, ...]
    """Names of the pictures that the leading one can be compared with."""
    unsuited: Mapping[Mode, str]
    """Modes that do not suit the leading picture, each with a word for why."""

    @property
    def leading(self) -> PictureView | None:
        """The first view, which the controls follow."""
        return next((view for view in self.views if view is not None), None)


def resolve(reports: Sequence[Report], chosen: NoiseChoices, groups: RowGroups) -> ResolvedHalves:
    """Return the available contents of `reports` that are closest to `chosen`."""
    offer = offer_for(reports, chosen.picture)
    present = [picture for picture in offer.pictures if picture is not None]
    fitted, reach, usual = scale_of(present), scale_of_curves(present), _examples_axis(present)
    others = [
        _partners(reports, place, picture) if picture is not None else {}
        for place, picture in enumerate(offer.pictures)
    ]
    views = tuple(
        _view(picture, chosen, usual, others[place], (fitted, reach), groups) if picture is not None else None
        for place, picture in enumerate(offer.pictures)
    )
    place, leading = next(((place, each) for place, each in enumerate(views) if each is not None), (0, None))
    partners = others[place] if leading is not None else {}
    return ResolvedHalves(
        offer=offer,
        mode=leading.mode if leading is not None else "heatmap",
        views=views,
        scale=fitted,
        clips=fitted != scale_of(present, whole=True),
        partners=tuple(partners),
        unsuited=_unsuited(leading.picture, leading.cut, bool(partners)) if leading is not None else {},
    )


def _view(
    picture: Picture,
    chosen: NoiseChoices,
    usual: PictureSlice | None,
    partners: Mapping[Text | str, Picture],
    scales: tuple[Scale, Scale],
    groups: RowGroups,
) -> PictureView:
    """Return how `picture` is seen, on `scales` of colours and of curves."""
    cut = cut_of(picture, chosen.cut or usual)
    wanted = chosen.mode or best_mode(picture, cut)
    mode = wanted if wanted not in _unsuited(picture, cut, bool(partners)) else "heatmap"
    name = chosen.against if chosen.against in partners else next(iter(partners), "")
    same = groups.of(picture, cut.row_axis)
    return PictureView(picture, mode, cut, scales[0], same, partners.get(name), name, scales[1])


def _examples_axis(pictures: Sequence[Picture]) -> PictureSlice | None:
    """Return the rows of all `pictures` of one shape where one of them names another axis than the first."""
    axes = {picture.axis for picture in pictures}
    same = len({picture.shape for picture in pictures}) == 1
    return PictureSlice(max(axes)) if same and len(axes) > 1 else None


def best_mode(picture: Picture, cut: PictureSlice) -> Mode:
    """Return the default mode of `picture`: one row of numbers as a line, large images as images."""
    shape = picture.values.shape
    axes = image_axes(shape, cut.row_axis)
    if not _unsuited_line(picture):
        return "line"
    if picture.role != "output" or axes is None or min(shape[axes.rows], shape[axes.columns]) < CLEARLY_AN_IMAGE:
        return "heatmap"
    return "images"


def cut_of(picture: Picture | None, chosen: PictureSlice | None) -> PictureSlice:
    """Return `chosen` where `picture` has axes to choose from, else rows along its examples."""
    rank = len(picture.shape) if picture is not None else 0
    if chosen is not None and rank > 1 and chosen.row_axis < rank:
        return chosen
    return PictureSlice(max(0, picture.axis) if picture is not None and rank else 0)


def _unsuited(picture: Picture, cut: PictureSlice, may_differ: bool) -> dict[Mode, str]:
    shape = picture.values.shape
    found: dict[Mode, str] = {}
    if reason := _unsuited_line(picture):
        found["line"] = reason
    if image_axes(shape, cut.row_axis) is None:
        found["images"] = "no images"
    if not may_differ:
        found["scatter"] = "no partner"
    return found


def _unsuited_line(picture: Picture) -> str:
    """Return the reason why `picture` cannot be a line: several axes, or truth values; empty where it can."""
    return "" if len(picture.shape) == 1 and picture.dtype != "bool" else "no line"


def _partners(reports: Sequence[Report], place: int, picture: Picture) -> dict[Text | str, Picture]:
    """Return by name the pictures to compare with `picture` of the report at `place`: those of its own role first."""
    found: dict[Text | str, Picture] = {each.name: each for each in partners(picture, reports[place].pictures or ())}
    for report in reports:
        if report is not reports[place]:
            found |= {
                f"{shown_variant(report.name)}: {each.name}": each for each in partners(picture, report.pictures or ())
            }
    return dict(sorted(found.items(), key=lambda named: named[1].role != picture.role))
