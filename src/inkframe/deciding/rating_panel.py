"""``RatingPanel``: rate texts or pictures blind, with the keyboard."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import anywidget
import pandas as pd
import traitlets

from inkframe.analysis.intervals import outlook, verdicts_at
from inkframe.deciding.groups import CASE, RATING, observe
from inkframe.deciding.rating_items import Content, Item, agreement, rated_frame, standing
from inkframe.deciding.rating_session import MODES, RatingSession, check_options
from inkframe.deciding.ratings import ratings_frame, user_name
from inkframe.deciding.verdict import CONFIDENCE, MOST, SMALLEST, decide
from inkframe.display.figure import words
from inkframe.display.markup import Html, counted, folded_prose, join, line, tag
from inkframe.display.picture import small_copy
from inkframe.display.view import View
from inkframe.errors import ConfigurationError, InkframeError, InvalidArgument
from inkframe.resources.views import collection_of
from inkframe.schema import IMAGES
from inkframe.system.files import tilde
from inkframe.vocabulary.arguments import check_choice, check_integer, check_text
from inkframe.widgets.panel import Panel, front, script, write_call

if TYPE_CHECKING:
    from inkframe.deciding.rating_items import Group

__all__ = ["RatingPanel", "RatingStage"]

#: Items in the browser beside the one that is shown, so that a busy kernel stops no one.
QUEUED: Final = 5
#: What the other keys do.
KEY_WORDS: Final = {"s": "Skip", "z": "Undo", "r": "Give a reason, which Enter ends"}
#: The key of each choice between two, and its sign.
ARROWS: Final = {"left": ("ArrowLeft", "←"), "tie": ("ArrowDown", "↓"), "right": ("ArrowRight", "→")}
#: How to choose by key, for assistive technology.
CHOOSE: Final = {"scale": "digits rate", "pairs": "arrows choose, down is a tie", "labels": "digits choose"}
#: Pixels of the longest side of a picture, and its most bytes.
SIZE: Final = 1024
BYTES: Final = 250_000


class RatingPanel(Panel):
    """Texts or pictures one at a time or in pairs, in random order, with their groups hidden until Reveal.

    Neither the page nor the notebook has the group, the name, the prompt or the id of what is shown. Each
    judgment is a line of a file before the page says that it is saved, so that it survives the kernel; the same
    cell run again goes on where it ended. Identical texts are rated once, for all their rows.

    Args:
        frame: A frame of documents or images.
        by: The column to compare, or several; hidden until Reveal.
        mode: ``scale``, ``pairs`` or ``labels``.
        scale: The highest rating, up to 9; 1 is the lowest.
        labels: The labels of mode ``labels``.
        question: What is asked.
        per_group: How many records of each group are rated; in pairs, how many comparisons it takes part in.
        rater: The name of the rater; by default that of the user.
        path: The file of the judgments; by default one for all panels.
        random_state: The seed of the choice of records and of their order.
        column: The generated column that is rated, where a frame has several; by default that of texts.

    Attributes:
        stage: The part on the page.
        session: What is left, and what was judged.
        revealed: Whether the groups were revealed.

    Raises:
        InvalidArgument: An argument is invalid, or the frame has nothing to rate.

    Example:
        >>> panel = ink.RatingPanel(runs, by="creativity")
        >>> panel.rate(4)  # as the key 4 does
        >>> int(panel.frame["rating"].count())
        1
    """

    revealed = traitlets.Bool()

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        by: str | Sequence[str] | None = None,
        mode: str = "scale",
        scale: int = 5,
        labels: Sequence[str] | None = None,
        question: str = "How good is it?",
        per_group: int = 20,
        rater: str | None = None,
        path: str | PathLike[str] | None = None,
        random_state: int = 0,
        column: str | None = None,
    ) -> None:
        self.by = [by] if isinstance(by, str) else list(by or ())
        self.session = RatingSession(
            frame,
            self.by,
            check_choice("mode", mode, MODES),
            check_options(mode, scale, labels),
            question=check_text("question", question),
            rater=check_text("rater", user_name() if rater is None else rater),
            path=path,
            per_group=check_integer("per_group", per_group),
            random_state=check_integer("random_state", random_state, least=0),
            column=column,
        )
        self._source, self._mode, self._spec = frame.copy(), mode, self.session.sample.spec
        #: The tokens of the items that the page has and that are not judged.
        self._ahead: set[str] = set()
        self._unshown = 0
        #: Pages and code may judge at once.
        self._turn = threading.RLock()
        records = self.session.sample.records
        fetch = collection_of(records, self._spec.name).picture_of_row if self._spec.has_picture else None
        # In a thread, the page may answer while the panel is being made.
        with self._turn:
            self.stage = RatingStage(
                self._heard,
                self._leave_out,
                fetch,
                mode=mode,
                question=question,
                choices=self._choices(),
                has_groups=bool(self.by),
                note=self._note(),
            )
            super().__init__(None, [self.stage])
            rating = {f"1–{len(self._choices())}": "Rate"}
            self.status.key_words = (
                {"Arrows": "Choose; down is a tie"} if mode == "pairs" else rating
            ) | KEY_WORDS
            place = {} if path is None else {"path": tilde(self.session.file.path)}
            self.code = f"import inkframe as ink\n\nratings = {write_call('ink.load_ratings', place)}"
            self._renew()

    @property
    def item(self) -> Any:
        """What is to be rated now: a text, or the file of a picture; two in pairs; None at the end."""
        if not self.session.left:
            return None
        shown = tuple(map(self.stage.content, self.session.left[0].contents))
        return shown if self._mode == "pairs" else shown[0]

    @property
    def ratings(self) -> pd.DataFrame:
        """One row for each judgment of these items, by any rater; with the groups once they are revealed."""
        with self._turn:
            self.session.judgments = self.session.read()
            return self._revealed_ratings()

    def rate(self, value: int | str, reason: str | None = None) -> None:
        """Judge the item that is shown, as its key does.

        Args:
            value: A rating, a label, or ``left``, ``right`` or ``tie``.
            reason: Why.

        Raises:
            InvalidArgument: The value is not one of the panel's, or nothing is left to rate.
            ConfigurationError: The judgment could not be saved.
        """
        with self._turn:
            item = self.session.current
            self.session.judge(item, value, reason)
            self._report(drop=item)

    def undo(self) -> None:
        """Take back the last judgment; its item is shown again.

        Raises:
            InvalidArgument: There is no judgment to take back.
        """
        with self._turn:
            self._report(front=self.session.undo())

    def skip(self) -> None:
        """Put off the item that is shown until all others are rated.

        Raises:
            InvalidArgument: Nothing is left to rate.
        """
        with self._turn:
            item = self.session.current
            self._put_off(item)
            self._report(drop=item)

    def reveal(self) -> pd.DataFrame:
        """Show the groups; what is rated afterwards is not blind.

        Returns:
            A row for each group: how many records were rated, and how.
        """
        with self._turn:
            self.session.reveal()
            self._report(reset=True)
            return self._standing()

    def mark_seen(self, ids: Iterable[Any]) -> None:
        """Note that records were shown with their group before, so that ratings of them do not count.

        Args:
            ids: Their ids.
        """
        with self._turn:
            self.session.mark_seen(ids)
            self._renew()

    @property
    def needed(self) -> tuple[int, int] | None:
        """The fewest and the most texts to add to each group for a verdict; None where there is one, or none can come."""
        if self._mode != "scale" or len(self.session.sample.groups) < 2:
            return None
        with suppress(InvalidArgument, ConfigurationError):  # too little was rated, or SciPy is missing
            return decide(
                observe(self.frame, by=self.by, column=RATING, block=CASE), SMALLEST, CONFIDENCE
            ).needed
        return max(0, verdicts_at(self.session.cases)[0] - self._most), max(0, MOST - self._most)

    @property
    def _most(self) -> int:
        """How many records the smallest group has that were or can be rated blind, also beyond ``per_group``."""
        has_text = self.frame.get("result", self.frame["raters"].fillna(0)).notna()
        can_count = self.frame.assign(blind=self.frame["blind"].fillna(value=True) & has_text)
        groups = can_count.reset_index(drop=True).groupby(self.by, observed=True)  # a level may have its name
        return int(min(groups["blind"].sum(), default=0))

    def _heard(self, message: Mapping[str, Any]) -> None:
        """Do what a message of the page says, and answer once it is on the disk."""
        number, kind = message.get("n"), message.get("kind")
        token = message.get("token")
        item = next((each for each in self.session.sample.items if each.token == token), None)
        with self._turn:
            try:
                if kind == "undo" and self.session.mine:
                    self._undo(item, number)
                elif kind == "reveal":
                    self.session.reveal()
                    self._report(number, reset=True)
                elif item is not None and item in self.session.left:
                    if kind == "rate":
                        self.session.judge(item, message.get("value"), message.get("reason") or None)
                    elif kind == "skip":
                        self._put_off(item)
                    self._report(number, drop=item)
                else:  # a page has come, or a second page has sent the same before
                    self._report(number, reset=kind == "ready")
            except InkframeError as error:
                self.error = error
                self.stage.send({"kind": "failed", "n": number, "reason": str(error)})

    def _undo(self, item: Item | None, number: object) -> None:
        found = self.session.undo(item)
        if item is not None:  # the page still has it
            self._ahead.add(found.token)
        self._report(number, front=None if item else found)

    def _put_off(self, item: Item) -> None:
        self.session.put_off(item)
        self._ahead.discard(item.token)

    def _leave_out(self, item: Item, error: Exception) -> None:
        """Go on without an item whose picture cannot be shown; the reason may name it, so it is not sent."""
        with self._turn:
            if item in self.session.left:
                self.session.left.remove(item)
            self._unshown += 1
            self.error = error
            self.say(f"{counted(self._unshown, 'picture')} cannot be shown and will not be rated.")
            self._report(drop=item)

    def _report(
        self,
        number: object = None,
        *,
        drop: Item | None = None,
        front: Item | None = None,
        reset: bool = False,
    ) -> None:
        """Send the page its progress and the items that come next."""
        left = self.session.left
        self._ahead = set() if reset else self._ahead & {item.token for item in left}
        if front is not None:
            self._ahead.add(front.token)
        ahead = [item for item in left[: QUEUED + 1] if item.token not in self._ahead]
        self._ahead |= {item.token for item in ahead}
        self.stage.send(
            {
                "kind": "state",
                "n": number,
                "reset": reset,
                "drop": drop and drop.token,
                "done": len(self.session.done),
                "left": len(left),
                "looks": self.session.verdicts_at(),
                "revealed": self.session.revealed,
            }
        )
        self.stage.feed([self._shown(item) for item in ([front] if front else [])], front=True)
        self.stage.feed([self._shown(item) for item in ahead])
        self._renew()
        self.revealed = self.session.revealed

    def _shown(self, item: Item) -> tuple[Item, str, list[str]]:
        """Return an item with its case and the groups of its parts, empty where they are not shown."""
        case = item.contents[0].case if self.session.sample.shows_cases else ""
        groups = [" / ".join(map(self._label, content.rows)) for content in item.contents]
        return item, case, groups if self.session.revealed and self.by else []

    def _renew(self) -> None:
        session = self.session
        frame = rated_frame(self._source, session.sample.contents, session.judgments, self._mode)
        if "blind" in frame:
            counts, is_open = (
                pd.Series(session.waiting(), range(len(frame))).set_axis(frame.index),
                frame["raters"].eq(0),
            )
            frame["raters"] = frame["raters"].mask(is_open & ~counts.isin([True]))
            frame["blind"] = frame["blind"].mask(is_open & counts.isin([False]), other=False)
        self.frame = frame
        if self._mode == "scale" and len(session.sample.groups) > 1:
            counted, noun = [0, *session.counted()][-1], "picture" if self._spec.has_picture else "text"
            more = f" per_group={self._most} shows all." * (self._most > counted and not session.revealed)
            self.stage.plan = f"{outlook(counted, self.session.cases, noun)}.{more}"
        if session.revealed:
            self._window = self._results()
            self.stage.results = str(self._window.html)
            self._keep_copy()

    def _standing(self) -> pd.DataFrame:
        return standing(self.frame, self._revealed_ratings(), self.by, self._mode)

    def _revealed_ratings(self) -> pd.DataFrame:
        return ratings_frame(self.session.judgments, [self.session.groups()] if self.session.revealed else [])

    def _results(self) -> View:
        """Return the standing of the groups and the agreement of the raters."""
        table = self._standing()
        said = table.attrs["analysis"]["notes"][:1] if "verdict" in table else []
        if self.by:
            groups = table[self.by].astype(object).itertuples(index=False, name=None)
            table = table.drop(columns=self.by)
            table.insert(0, "group", [self._label(each) for each in groups])
        table.columns = [str(name).replace("_", " ") for name in table]
        raters = len({each.rater for each in self.session.judgments})
        alpha = agreement(self.session.judgments, self._mode)
        note = "" if alpha is None else f"Agreement of {raters} raters: {alpha:.2f} (Krippendorff's alpha)"
        shown: dict[str, Any] = {"index": False, "float_format": "{:.2f}".format, "na_rep": "–"}
        body = Html(table.to_html(border=0, classes="ink-table", **shown))
        html = join(*(tag("p", each) for each in said), body, tag("p", note, class_="ink-hint"))
        return View(html, "\n".join([*said, table.to_string(**shown), note]).rstrip())

    def _label(self, group: Group) -> str:
        return ", ".join(words({name: value}, name) for name, value in zip(self.by, group, strict=True))

    def _choices(self) -> list[list[Any]]:
        options = self.session.options
        if options is None:
            return [["left", "Left"], ["tie", "Tie"], ["right", "Right"]]
        values = range(1, options + 1) if isinstance(options, int) else options
        return [[value, str(value)] for value in values]

    def _note(self) -> str:
        seen = self._spec.name == IMAGES.name and [name for name in self.by if name in IMAGES.choices]
        return f"The picture itself shows its {' and '.join(seen)}." if seen else ""

    def __repr__(self) -> str:
        total = len(self.session.sample.items)
        return f"<RatingPanel: {total - len(self.session.left)} of {total} rated>"


class RatingStage(anywidget.AnyWidget):
    """One item at a time on a page.

    Messages from the page are ``ready`` once it listens, and ``rate``, ``undo``, ``skip`` and ``reveal``. Each of
    these has a number, which comes back once what it says is on the disk.

    Args:
        heard: Called with each message of the page.
        left_out: Called with an item whose picture cannot be shown, and the error.
        fetch: Returns the picture file of a record; None for texts.
        traits: The traits below.
    """

    _esm = script("rating", package=__package__)
    _css = front("rating.css", __package__)

    #: ``scale``, ``pairs`` or ``labels``.
    mode = traitlets.Unicode()
    question = traitlets.Unicode()
    #: The choices: a value, and the label of its button.
    choices: traitlets.List[list[Any]] = traitlets.List()
    #: A note for the rater, such as that a picture shows its style.
    note = traitlets.Unicode()
    #: What is around the items as HTML: the question, the choices, the keys.
    shell = traitlets.Unicode().tag(sync=True)
    #: What the plan can decide.
    plan = traitlets.Unicode().tag(sync=True)
    #: Whether there are groups to be revealed.
    has_groups = traitlets.Bool().tag(sync=True)
    #: The results as HTML, once they are revealed.
    results = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        heard: Callable[[Mapping[str, Any]], Any],
        left_out: Callable[[Item, Exception], Any],
        fetch: Callable[[Mapping[str, Any]], bytes] | None,
        **traits: Any,
    ) -> None:
        self._left_out, self._fetch = left_out, fetch
        self._feeder: threading.Thread | None = None
        # First, since the page may answer before this returns.
        self.on_msg(lambda _widget, message, _buffers: heard(message))
        super().__init__(**traits)

    @traitlets.default("shell")
    def _draw_shell(self) -> str:
        """Return what is around the items, filled in."""
        numbers = {value: (str(at),) * 2 for at, (value, _) in enumerate(self.choices, 1)}
        keys = ARROWS if self.mode == "pairs" else numbers
        choices = [
            tag(
                "button",
                tag("kbd", sign, aria_hidden=None if label == sign else "true"),
                None if label == sign else f" {label}",
                type="button",
                class_="ink-choice",
                data_act="rate",
                data_value=json.dumps(value),
                data_keys=key,
            )
            for value, label in self.choices
            for key, sign in [keys[value]]
        ]
        return front("rating.html", __package__).format(
            choices=join(*choices),
            question=escape(self.question),
            keys=CHOOSE[self.mode],
            mode=self.mode,
            ends=f"1 is worst, {len(choices)} is best." if self.mode == "scale" else "",
            note=escape(self.note),
            reveal="Reveal groups" if self.has_groups else "Show results",
        )

    def feed(self, items: Sequence[tuple[Item, str, list[str]]], **more: Any) -> None:
        """Send items one by one, in their order; pictures are fetched in a thread.

        Args:
            items: Items with their case and the groups of their parts, empty where they are not shown.
            more: What the page has to know beside.
        """
        if not items:
            return
        before = self._feeder

        def send() -> None:
            if before is not None:
                before.join()
            for item, case, groups in items:
                try:
                    shown = [self.content(content) for content in item.contents]
                except InkframeError as error:
                    self._left_out(item, error)
                    continue
                parts = [
                    str(tag("div", folded_prose(each), class_="ink-prose", dir="auto"))
                    if isinstance(each, str)
                    else ""
                    for each in shown
                ]
                pictures = [each for each in shown if isinstance(each, bytes)]
                sent = {"token": item.token, "parts": parts, "case": line(case, 300), "groups": groups}
                self.send({"kind": "item", "item": sent, **more}, pictures)

        if self._fetch is None:
            send()
        else:
            self._feeder = threading.Thread(target=send, name="inkframe-rating", daemon=True)
            self._feeder.start()

    def content(self, content: Content) -> str | bytes:
        """Return a text, or a copy of a picture without its metadata, which may hold its prompt."""
        if self._fetch is None:
            return content.text
        small = small_copy(self._fetch(content.record), SIZE, BYTES)
        if isinstance(small, str):
            raise InkframeError(small)
        return small
