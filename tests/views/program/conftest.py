from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.views.made import put_up
from views.program.program_view import ProgramView


@pytest.fixture
def view(qtbot: QtBot) -> ProgramView:
    return put_up(qtbot, ProgramView(), 1000, 300)
