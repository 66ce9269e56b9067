from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from views.program.program_view import ProgramView


@pytest.fixture
def view(qtbot: QtBot) -> ProgramView:
    made = ProgramView()
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    return made
