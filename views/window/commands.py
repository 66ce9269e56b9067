"""CommandTable: one Command for each entry, the source of menus, tool bar, keys and key sheet; build()."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from explorer.text.languages import about, known_languages

MOST_RECENT = 10
"""Lessons and files in the menu of those that were open last."""


class Command(msgspec.Struct, frozen=True):
    """One command; the desk finds its action by its id.

    Attributes:
        id: its name, also that of its icon and of its action.
        menu: title of its menu.
        under: title of the parent of its menu; empty for the menu bar.
        text: its label in the menu, with a mnemonic.
        shortcut: keys that work everywhere in the window, separated by commas; empty for none.
        checkable: whether it is a switch.
        tip: a sentence for the tooltip.
        bar: its position among the buttons of the tool bar, counted from 1; 0 for none.
        word: the word at its icon there; empty for none.
        begins_group: whether a line separates it from the entry above.
        in_code: whether its keys work in the code only.
    """

    id: str
    menu: str
    text: str
    shortcut: str = ""
    checkable: bool = False
    tip: str = ""
    bar: int = 0
    word: str = ""
    begins_group: bool = False
    in_code: bool = False
    under: str = ""

    @property
    def name(self) -> str:
        """Its text without the signs that only a menu needs."""
        return plain(self.text)

    @property
    def keys(self) -> list[QKeySequence]:
        return [QKeySequence(keys) for keys in self.shortcut.split(", ") if keys]

    @property
    def key_names(self) -> list[str]:
        """The keys as this system calls them."""
        return [keys.toString(QKeySequence.SequenceFormat.NativeText).replace("Pg", "Page ") for keys in self.keys]


class CommandTable(QObject):
    """The table of all commands: Qt finds its texts by this class."""

    def commands(self) -> tuple[Command, ...]:
        """Return every command in the language of the window, in the order of the menus."""
        file, run, view, help_ = self.tr("&File"), self.tr("&Run"), self.tr("&View"), self.tr("&Help")
        present = self.tr("&Present")
        recent = self.tr("Open re&cent")
        devices = self.tr("{} CPU devices")
        return (
            Command("new_file", file, self.tr("&New"), "Ctrl+N"),
            Command("new_scenario", file, self.tr("New lesson from a &template…"), "Ctrl+Shift+N"),
            Command("open", file, self.tr("&Open a file…"), "Ctrl+O"),
            Command("open_folder", file, self.tr("Open a &folder…")),
            *(Command(f"recent_{place}", recent, str(place), under=file) for place in range(1, MOST_RECENT + 1)),
            Command("save", file, self.tr("&Save"), "Ctrl+S"),
            Command("save_as", file, self.tr("Save &as…"), "Ctrl+Shift+S"),
            Command("handout", file, self.tr("&Handout of this lesson…"), begins_group=True),
            Command("export", file, self.tr("&Export pictures and data…"), "Ctrl+E"),
            Command("reset", file, self.tr("&Reset the code to the original")),
            Command("quit", file, self.tr("&Quit"), "Ctrl+Q", begins_group=True),
            *self._edit(),
            Command(
                "run",
                run,
                self.tr("&Run"),
                "F9, Ctrl+Return",
                tip=self.tr("Run the code again"),
                bar=1,
                word=self.tr("Run"),
            ),
            Command("stop", run, self.tr("&Stop"), "Shift+F9", tip=self.tr("Stop what is running"), bar=2),
            Command(
                "time",
                run,
                self.tr("&Time"),
                "Ctrl+T",
                tip=self.tr("Time every variant over the sweep"),
                bar=3,
                word=self.tr("Time"),
            ),
            Command("auto_time", run, self.tr("Time &automatically after each change"), checkable=True),
            Command(
                "transforms",
                run,
                self.tr("T&ransforms around the variant"),
                "Ctrl+Shift+T",
                checkable=True,
                bar=4,
                word=self.tr("Transform"),
                tip=self.tr("Apply jit, vmap, grad and others to the variant without changing the code"),
            ),
            Command(
                "jax_checker",
                run,
                self.tr("Ask JAX's own key &checker"),
                "Ctrl+J",
                checkable=True,
                tip=self.tr("Also ask jax_debug_key_reuse about this code, and explain any difference (on/off)"),
            ),
            Command(
                "restart",
                run,
                self.tr("Restart &worker"),
                begins_group=True,
                tip=self.tr("Continue in a fresh process; the code and everything shown stay"),
            ),
            Command("elsewhere", run, self.tr("Run &elsewhere…")),
            Command("cpu_1", run, self.tr("1 CPU device"), checkable=True),
            *(Command(f"cpu_{count}", run, devices.format(count), checkable=True) for count in (4, 8)),
            Command("larger", view, self.tr("&Larger text"), "Ctrl++, Ctrl+="),
            Command("smaller", view, self.tr("&Smaller text"), "Ctrl+-"),
            Command("normal", view, self.tr("&Normal text"), "Ctrl+0"),
            Command(
                "light", view, self.tr("L&ight"), checkable=True, begins_group=True, tip=self.tr("The light theme")
            ),
            Command("dark", view, self.tr("&Dark"), checkable=True, tip=self.tr("The dark theme")),
            Command(
                "projector",
                view,
                self.tr("&Projector"),
                checkable=True,
                tip=self.tr("The theme with the strongest contrast; the text size stays"),
            ),
            Command(
                "lessons",
                view,
                self.tr("Li&st of lessons"),
                "Ctrl+L",
                checkable=True,
                begins_group=True,
                tip=self.tr("Show or hide the list of lessons"),
            ),
            Command(
                "line_types",
                view,
                self.tr("T&ypes at line ends"),
                "Ctrl+I",
                checkable=True,
                tip=self.tr("Show at the end of each traced line the types of its values: one example and its batch"),
            ),
            Command("pane_1", view, self.tr("Large &keys pane"), "Ctrl+1"),
            Command("pane_2", view, self.tr("Large n&oise pane"), "Ctrl+2"),
            Command("pane_3", view, self.tr("Large p&rogram pane"), "Ctrl+3"),
            Command("pane_4", view, self.tr("Large &timing pane"), "Ctrl+4"),
            Command("grid", view, self.tr("R&eset layout"), "Ctrl+5"),
            Command("compare", view, self.tr("Co&mpare two variants"), "Ctrl+D", checkable=True),
            Command("next_part", view, self.tr("Next part of the &window"), "F6", begins_group=True),
            Command("previous_part", view, self.tr("Previous part of the w&indow"), "Shift+F6"),
            Command("next_scenario", view, self.tr("Ne&xt lesson"), "Ctrl+PgDown"),
            Command("previous_scenario", view, self.tr("Previo&us lesson"), "Ctrl+PgUp"),
            Command("next_finding", view, self.tr("Next &finding"), "F4"),
            Command("previous_finding", view, self.tr("Pre&vious finding"), "Shift+F4"),
            Command("finding_explained", view, self.tr("Expl&ain the finding"), "Ctrl+Shift+E"),
            Command("back", view, self.tr("&Back from a link"), "Alt+Left"),
            *(
                Command(f"language_{each}", view, _own_name(each), checkable=True, begins_group=not place)
                for place, each in enumerate(known_languages())
            ),
            Command("palette", view, self.tr("C&ommand palette…"), "Ctrl+Shift+P", begins_group=True),
            Command("present", present, self.tr("Present &full screen"), "F5", checkable=True, bar=5),
            Command(
                "swap_screens",
                present,
                self.tr("S&wap the screens while presenting"),
                "Shift+F5",
                tip=self.tr("With two screens: swap the audience's screen and yours"),
            ),
            Command("keys", help_, self.tr("&Keyboard shortcuts"), "F1, ?"),
            Command("glossary", help_, self.tr("&Glossary"), "Shift+F1", begins_group=True),
            Command("tour", help_, self.tr("&Tour")),
            Command("about", help_, self.tr("&About JAX Explorer")),
        )

    def _edit(self) -> tuple[Command, ...]:
        edit = self.tr("&Edit")
        return (
            Command("undo", edit, self.tr("&Undo"), "Ctrl+Z"),
            Command("redo", edit, self.tr("&Redo"), "Ctrl+Shift+Z, Ctrl+Y"),
            Command("cut", edit, self.tr("Cu&t"), "Ctrl+X", begins_group=True),
            Command("copy", edit, self.tr("&Copy"), "Ctrl+C"),
            Command("paste", edit, self.tr("&Paste"), "Ctrl+V"),
            Command("select_all", edit, self.tr("Select &all"), "Ctrl+A"),
            Command("find", edit, self.tr("&Find…"), "Ctrl+F", begins_group=True),
            Command("replace", edit, self.tr("Find and r&eplace…"), "Ctrl+H"),
            Command("find_next", edit, self.tr("Find &next"), "F3"),
            Command("find_previous", edit, self.tr("Find pre&vious"), "Shift+F3"),
            Command("line", edit, self.tr("&Go to line…"), "Ctrl+G", begins_group=True),
            Command("definition", edit, self.tr("Go to &definition"), "F12"),
            Command("comment", edit, self.tr("C&omment on or off"), "Ctrl+/", begins_group=True, in_code=True),
            Command("fix", edit, self.tr("Apply a &fix…"), "Ctrl+.", begins_group=True),
        )


def plain(text: str) -> str:
    """Return a menu text without its mnemonic, which is in brackets after Korean words, and its dots."""
    return re.sub(r"\(&\w\)|&|…", "", text)


def build(window: QMainWindow, commands: Sequence[Command]) -> QActionGroup:
    """Build the menu bar of `window` from `commands` and return their actions, each named by its command's id."""
    bar = QMenuBar()
    window.setMenuBar(bar)
    group = QActionGroup(window)
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
    menus: dict[str, QMenu] = {}
    for command in commands:
        above = menus[command.under] if command.under else bar
        menu = menus[command.menu] = menus.get(command.menu) or above.addMenu(command.menu)
        if command.begins_group:
            menu.addSeparator()
        menu.addAction(_action(group, command))
    # Their keys work while the menu bar is hidden, too.
    window.addActions(
        [action for action, command in zip(group.actions(), commands, strict=True) if not command.in_code]
    )
    return group


def _action(group: QActionGroup, command: Command) -> QAction:
    action = QAction(command.text, group, checkable=command.checkable)
    action.setObjectName(command.id)
    action.setShortcuts(command.keys)
    if command.in_code:
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.setToolTip(" ".join([command.tip or command.name, *(f"({keys})" for keys in command.key_names[:1])]))
    return action


def _own_name(language: str) -> str:
    """Return the language's own name for itself, for the menu."""
    name = about(language).name
    return f"&{name}" if language == "en" else name
