"""Votes by phone: while a question is open, a server in a process of its own takes them."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QObject, QProcess

from explorer.phones.records import COMMAND, Listening, Open, Refused, Voted, from_server, line
from explorer.text.text import chosen_language
from explorer.window.presenting.voting import OpenVote, Voting
from views.window.main_window import MainWindow
from views.window.stage.overlay import Overlay
from views.window.stage.stage import Stage

PORT = 8642
"""Below the ports that systems give away by themselves, so that each question has the same one."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address that is kept for documentation (RFC 5737); nothing is sent there."""
GONE_MS = 1000


class Phones(QObject):
    """Starts the server with each question, shows its address on the stage, and counts what it reports."""

    def __init__(self, window: MainWindow, stage: Stage, voting: Voting, overlay: Overlay) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self._voting = voting
        self._overlay = overlay
        self.address: Callable[[], str] = network_address
        """Returns the address to listen at; empty for none."""
        self.port = PORT
        self._code = ""
        self._presents = False
        self._is_on = False
        self._open: tuple[OpenVote, str] | None = None
        """What the server takes votes on, and the language of its page."""
        self._process: QProcess | None = None
        self._host = ""
        """The address of the server."""
        self._place = ""
        """Its address and port once it listens."""
        self._votes: dict[OpenVote, dict[str, int]] = {}
        """The votes of this presentation, by the tokens of the phones."""
        voting.tally_changed.connect(self._follow)

    def begin(self) -> None:
        """Allow votes by phone, with a new room code."""
        self._presents = True
        self._code = f"{secrets.randbelow(10_000):04}"

    def end(self) -> None:
        """Switch them off."""
        self._presents = False
        self._switch(False)
        self._votes.clear()

    def toggle(self) -> None:
        """Switch votes by phone on or off."""
        if not self._presents:
            self._window.notice.tell(self.tr("Votes by phone can be switched on while you present."))
        self._switch(self._presents and not self._is_on)
        if self._is_on and not self._voting.asks:
            self._overlay.tell(self.tr("Votes by phone are on. The address appears with the next question."))

    def _switch(self, on: bool) -> None:
        self._is_on = on
        self._window.action("votes_by_phone").setChecked(on)
        self._follow()

    def _follow(self) -> None:
        """Let the server take votes on the open question, and none without one."""
        vote = self._voting.open_vote if self._is_on else None
        wanted = (vote, chosen_language()) if vote is not None else None
        if wanted != self._open:
            self._open = wanted
            self._stop()
            if wanted is not None:
                self._start(*wanted)
        self._show()

    def _show(self) -> None:
        if self._stage.bars is None:
            return
        if self._place:
            self._stage.bars.sign.tell(self._place, self._code)
        else:
            self._stage.bars.sign.put_away()

    # -- the server ---------------------------------------------------------------------------

    def _start(self, vote: OpenVote, language: str) -> None:
        self._host = self.address()
        if not self._host:
            self._give_up(self.tr("This computer is in no network that phones can reach."))
            return
        votes = self._votes.setdefault(vote, {})
        number = [*self._votes].index(vote) + 1
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_end)
        self._process.errorOccurred.connect(self._on_end)
        self._process.start(COMMAND[0], COMMAND[1:])
        self._process.write(line(Open(number, vote.choices, self._code, self._host, self.port, language, votes)))

    def _stop(self) -> None:
        """End the server, and with it the port and every connection; the next one has the same port."""
        self._place = ""
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(GONE_MS)
            process.deleteLater()

    def _read(self) -> None:
        changes: list[tuple[int | None, int]] = []
        while self._open is not None and self._process is not None and self._process.canReadLine():
            record = from_server(bytes(self._process.readLine().data()))
            if isinstance(record, Voted):
                votes = self._votes[self._open[0]]
                changes.append((votes.get(record.phone), record.choice))
                votes[record.phone] = record.choice
            elif isinstance(record, Listening):
                self.port = record.port
                self._place = f"{self._host}:{record.port}"
                self._show()
            elif isinstance(record, Refused):
                self._give_up(self.tr("The network does not let phones in ({}).").format(record.reason))
        if changes:
            self._voting.count_phones(changes)

    def _on_end(self) -> None:
        self._give_up(self.tr("The server for phones has ended."))

    def _give_up(self, reason: str) -> None:
        """Switch off and say why."""
        self._switch(False)
        sentence = " ".join((reason, self.tr("Votes are counted by key.")))
        self._window.notice.tell(sentence)
        if not self._window.notice.isVisible():
            self._overlay.tell(sentence)


def network_address() -> str:
    """Return this computer's IPv4 address in the network that it reaches others through; empty without any."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Of a datagram socket this sends nothing: it only chooses the way.
        probe.connect(ELSEWHERE)
        return str(probe.getsockname()[0])
    # A network without a way out, such as a router of the lecture room's own.
    from PySide6.QtNetwork import QAbstractSocket, QNetworkInterface

    ipv4 = QAbstractSocket.NetworkLayerProtocol.IPv4Protocol
    for each in QNetworkInterface.allAddresses():
        if each.protocol() == ipv4 and not (each.isLoopback() or each.isLinkLocal()):
            return each.toString()
    return ""
