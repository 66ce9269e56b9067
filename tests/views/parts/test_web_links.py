"""A web address opens in the browser after a user has seen it and agreed; nothing else opens at all."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.views.made import hold
from views.parts import own_document


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the addresses that went to the browser."""
    urls: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url.toEncoded().data().decode()))
    return urls


@pytest.fixture
def asker(qtbot: QtBot) -> QWidget:
    return hold(qtbot, QWidget())


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the addresses in questions and messages; the user agrees to all."""
    texts: list[str] = []

    def answer(box: QMessageBox) -> int:
        texts.append(box.informativeText())
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return texts


@pytest.mark.parametrize("address", ["https://한글.example/a%20b", "https://docs.jax.dev/x.html", "http://a.example"])
def test_a_web_address_is_shown_as_it_is_asked_for(
    asker: QWidget, opened: list[str], shown: list[str], address: str
) -> None:
    own_document.ask(asker, address)
    assert shown == opened
    assert shown == [address.replace("한글", "xn--bj0bj06e")]


def test_without_consent_nothing_opens(asker: QWidget, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Cancel.value)
    own_document.ask(asker, "https://docs.jax.dev/x.html")
    assert opened == []


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
def test_nothing_else_is_opened_and_it_is_reported(
    asker: QWidget, opened: list[str], shown: list[str], address: str
) -> None:
    own_document.ask(asker, address)
    assert (opened, len(shown)) == ([], 1)
