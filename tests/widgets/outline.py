"""The outline of a panel: its widgets as lines of text."""

import difflib
import re

import anywidget
import ipywidgets

import inkframe as ink

#: How rows look, which the tests of ``rows`` and of the fragments say.
DRAWN = {"columns", "first", "head", "longest", "version"}
#: What is not recorded: what all widgets have, and how long the work will take.
LEFT_OUT = {"layout", "style", "tabbable", "comm", "keys", "_dom_classes", "hint", *DRAWN}
#: Longer texts are recorded by their beginning and their length.
LONGEST = 1000
#: What differs from run to run.
UNSTEADY = [
    (re.compile(r"(?<=>)(?:(?!<svg|</svg>).)*</svg>", re.DOTALL), "…</svg>"),
    (re.compile(r"<style>.*?</style>|<script.*?</script>", re.DOTALL), ""),
    (re.compile(r"data:[\w/+-]+;base64,[\w+/=]+"), "DATA"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+00:00)?( UTC)?|\d{4}-\d\d-\d\d"), "TIME"),
    (re.compile(r"\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*( \d{4})?(, \d\d:\d\d)?( UTC)?"), "TIME"),
    (re.compile(r"(?<=after )\d\d:\d\d:\d\d"), "TIME"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|seconds?)\b"), "DURATION"),
    (re.compile(r"ink-[0-9a-f]{6,}|\b[0-9a-f]{8,}\b"), "HEX"),
]  # fmt: skip


class Outline:
    """The lines of a panel, and of each step the lines that changed."""

    def __init__(self, panel, folder, sent):
        self.panel, self._folder, self._sent = panel, str(folder), sent
        self.sections = [("at first", self._lines())]
        self._before = self.sections[0][1]
        sent.clear()

    def step(self, words):
        """Record what changed since the last step."""
        lines = self._lines()
        changes = [
            each for each in difflib.unified_diff(self._before, lines, n=0, lineterm="")
            if not each.startswith(("---", "+++", "@@"))
        ]  # fmt: skip
        told = sorted(f"sent by {name}: {self._plain(content)}" for name, content in self._sent)
        self.sections.append((words, [*changes, *told]))
        self._before = lines
        self._sent.clear()

    @property
    def lines(self):
        """The lines of all sections."""
        return [line for words, lines in self.sections for line in (f"## {words}", *lines)]

    @property
    def changes(self):
        """The lines of all sections but the first one, for a panel whose beginning another test records."""
        return self.lines[len(self.sections[0][1]) + 1 :]

    def _lines(self):
        return [
            *self._widget(self.panel, 0),
            *(f"{name}: {self._plain(value)}" for name, value in self._traits()),
        ]

    def _traits(self):
        panel = self.panel
        yield from (("code", panel.code), ("busy", panel.busy), ("error", repr(panel.error)))
        yield "frame", None if panel.frame is None else f"{panel.frame.shape} {list(panel.frame.columns)}"
        record = panel.record
        yield "record", f"{record.id} {record.name} {record.favorite}" if hasattr(record, "id") else record

    def _widget(self, widget, depth):
        classes = " ".join(widget._dom_classes)
        held = {
            name: getattr(widget, name)
            for name, trait in sorted(widget.traits(sync=True).items())
            if name not in LEFT_OUT and not name.startswith(("_model", "_view", "_esm", "_css", "_anywidget"))
        }
        defaults = {name: widget.trait_defaults(name) for name in held}
        children = [each for value in held.values() for each in self._inside(value)]
        shown = [
            f"{name}={self._plain(value)}" for name, value in held.items()
            if not self._inside(value) and repr(value) != repr(defaults[name])
        ]  # fmt: skip
        yield "  " * depth + " ".join([type(widget).__name__, f"[{classes}]"])
        yield from ("  " * depth + f"  . {each}" for each in shown)
        for child in children:
            yield from self._widget(child, depth + 1)

    @staticmethod
    def _inside(value):
        several = value if isinstance(value, (list, tuple)) else [value]
        return [each for each in several if isinstance(each, ipywidgets.Widget)]

    def _plain(self, value):
        if isinstance(value, (bytes, memoryview)):
            return "<bytes>"
        text = value if isinstance(value, str) else repr(self._without_bytes(value))
        text = text.replace(self._folder, "FOLDER").replace("\n", "\\n")
        for pattern, word in UNSTEADY:
            text = pattern.sub(word, text)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}… {len(text)} characters"

    def _without_bytes(self, value):
        if isinstance(value, (bytes, memoryview)):
            return "<bytes>"
        if isinstance(value, dict):
            return {name: self._without_bytes(each) for name, each in value.items()}
        return [self._without_bytes(each) for each in value] if isinstance(value, (list, tuple)) else value


def traits_of_panels():
    """Return the traits of our widgets and panels by room and name: type, default, whether they are sent, may be None."""
    found, kinds = {}, [anywidget.AnyWidget, ipywidgets.Box]
    for name in ink.__all__:  # imports every panel
        getattr(ink, name)
    while kinds:
        kind = kinds.pop()
        # Where traits are added to a widget, its class is replaced by one of the same name.
        kinds += [each for each in kind.__subclasses__() if each.__name__ != kind.__name__]
        if kind.__module__.startswith("inkframe."):
            own = {name: each for name, each in kind.class_traits().items() if name in vars(kind)}
            found[kind.__module__.split(".")[1], kind.__name__] = {
                name: [type(each).__name__, repr(each.default())[:40], bool(each.metadata.get("sync")), each.allow_none]
                for name, each in sorted(own.items()) if not name.startswith("_")
            } | {name: len(str(getattr(kind, name, ""))) > 99 for name in ("_esm", "_css") if name in vars(kind)}  # fmt: skip
    return {key: traits for key, traits in sorted(found.items(), key=lambda each: each[0][1]) if traits}
