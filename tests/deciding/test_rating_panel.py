import errno
import json
import os
import threading

import pandas as pd
import pytest

import inkframe as ink
from inkframe.deciding.rating_panel import RatingStage

GROUPS = ("zqxwarm", "zqxplain")
SECRETS = (*GROUPS, "secretname", "secretprompt", "900000000")


@pytest.fixture
def runs():
    """Return 40 documents of two variants, with ids, names and prompts that can be searched for."""
    rows = [
        {"id": 900_000_000_001 + at, "name": f"secretname {at}", "prompt": "secretprompt", "case": "the kettle",
         "variant": GROUPS[at % 2], "result": f"Text number {at} **bold**"}
        for at in range(40)
    ]  # fmt: skip
    return pd.DataFrame(rows).set_index("id")


@pytest.fixture
def path(tmp_path):
    """Return the path of a ratings file that does not exist yet."""
    return tmp_path / "ratings.jsonl"


@pytest.fixture
def make(runs, path):
    """Return a function that makes a panel which keeps what it sends to the page."""

    def make(**options):
        options = {"by": "variant", "rater": "ana", "path": path} | options
        panel = ink.RatingPanel(options.pop("frame", runs), **options)
        panel.sent = []
        panel.stage.send = lambda message, buffers=None: panel.sent.append((message, buffers))
        return panel

    return make


@pytest.fixture
def page(send):
    """Return a function that plays the page of a panel: its queue, and judgments by key."""
    return lambda panel: Page(panel, send)


class Page:
    """A page that judges the first item of its queue."""

    def __init__(self, panel, send):
        self.panel, self.send, self.queue, self.saved, self.number = panel, send, [], [], 0
        self.send(panel.stage, "ready")
        self.take()

    def take(self):
        """Take what the panel sent."""
        for message, _ in self.panel.sent:
            if message["kind"] == "state":
                if message["reset"]:
                    self.queue = []
                self.saved.append(message["n"])
                self.state = message
            elif message["kind"] == "item" and message["item"]["token"] not in self.tokens:
                self.queue.insert(0 if message.get("front") else len(self.queue), message["item"])
        self.panel.sent.clear()

    @property
    def tokens(self):
        """The tokens of the queue."""
        return [item["token"] for item in self.queue]

    def act(self, kind, **more):
        """Send an act about the first item, which leaves the queue."""
        item = self.queue.pop(0)
        self.number += 1
        self.send(self.panel.stage, kind, n=self.number, token=item["token"], **more)
        self.take()
        return item


def words(panel):
    """Return all that a panel has sent or holds for the page."""
    state = {name: value for widget in (panel, panel.stage, panel.status, panel.code_box)
             for name, value in widget.get_state().items() if isinstance(value, str | list)}  # fmt: skip
    return json.dumps([panel.sent, state], default=str)


def test_the_page_gets_the_next_items_and_nothing_that_names_them(make, page, send):
    """The first item and five more are there, as safe HTML with their case; no group, name, prompt or id is."""
    panel = make()
    assert panel.sent == []
    first = page(panel)
    assert len(first.queue) == 6
    assert set(first.queue[0]) == {"token", "parts", "case", "groups"}
    assert "<strong>bold</strong>" in first.queue[0]["parts"][0]
    assert first.queue[0]["case"] == "the kettle"
    assert first.queue[0]["groups"] == []
    for value in (3, 5, 1):
        first.act("rate", value=value)
    again = make()
    send(again.stage, "ready")
    again.rate(4)
    again.skip()
    again.undo()
    assert not [secret for secret in SECRETS if secret in words(again)]


def test_a_page_that_is_there_before_the_panel_gets_its_items(runs, path, monkeypatch):
    """A panel that a thread makes answers a page that was ready first."""
    sent, pages, opened = [], [], RatingStage.open

    def open_and_answer(stage):
        opened(stage)
        page = threading.Thread(target=stage._handle_custom_msg, args=({"kind": "ready"}, []))
        page.start()
        page.join(0.1)
        pages.append(page)

    monkeypatch.setattr(RatingStage, "open", open_and_answer)
    monkeypatch.setattr(
        RatingStage, "send", lambda _stage, message, _buffers=None: sent.append(message["kind"])
    )
    ink.RatingPanel(runs, by="variant", rater="ana", path=path)
    pages[0].join(60)
    assert sent == ["state"] + ["item"] * 6


def test_a_judgment_is_saved_before_the_page_hears_of_it(make, page, path):
    """When the page gets its number back, the line is in the file."""
    panel = make()
    there = page(panel)
    seen = []
    panel.stage.send = lambda message, _buffers=None: seen.append(
        (message.get("n"), len(ink.load_ratings(path)))
    )
    there.act("rate", value=4, reason="clear")
    assert seen[0] == (1, 1)
    rating = ink.load_ratings(path).iloc[0]
    assert (rating["value"], rating["reason"], rating["rater"], rating["blind"]) == (4, "clear", "ana", True)


def test_the_queue_is_refilled(make, page):
    """After each judgment one more item comes, until all were shown once; then nothing is left."""
    there = page(make())
    shown = []
    while there.queue:
        shown.append(there.act("rate", value=3)["token"])
        assert len(there.queue) == min(6, 40 - len(shown))
    assert len(set(shown)) == 40
    assert (there.state["done"], there.state["left"]) == (40, 0)
    assert there.panel.item is None


def test_verdicts_are_announced(make, page):
    """A verdict is possible once each group has ten ratings, and again at twenty."""
    there = page(make())
    assert there.state["looks"] == [20, 40]
    assert page(make(by=None)).state["looks"] == []
    assert page(make(mode="pairs")).state["looks"] == []


def test_what_the_plan_can_decide_is_said_before_rating(make, runs):
    """The page has how many texts of each group can count, which verdicts they allow, and what would show all of them."""
    assert make().stage.plan == "20 texts a level: verdicts at 10 and 20."
    assert make(per_group=9).stage.plan == "9 texts a level: a verdict needs 10. per_group=20 shows all."
    assert make(per_group=19).stage.plan.startswith("19 texts a level: verdicts at 10 and 19. per_group=20")
    seven = make(frame=levels(2, cases=7), by="creativity", rater="bo")
    assert seven.stage.plan == "14 texts a level: verdicts at 11 and 14."
    assert (seven.session.verdicts_at(), seven.needed) == ([51, 63], (0, 26))
    assert make(frame=runs[:-21]).stage.plan == "9 texts a level: a verdict needs 10."
    others = ({"by": None}, {"mode": "pairs"}, {"mode": "labels", "labels": ["a", "b"]})
    assert [make(**other).stage.plan for other in others] == ["", "", ""]
    assert [make(**other).needed for other in others] == [None, None, None]


def test_texts_whose_group_was_shown_do_not_count(make, runs, page):
    """Neither in what the plan can decide nor in when a verdict comes nor among those that wait for a rating."""
    panel = make()
    panel.mark_seen(runs.index[:24])
    assert panel.stage.plan == "8 texts a level: a verdict needs 10."
    assert panel.needed == (2, 32)
    assert page(panel).state["looks"] == []
    assert panel.frame["blind"].isna().tolist() == [False] * 24 + [True] * 16
    panel.rate(4)
    panel.reveal()
    assert not panel.frame["blind"].isna().any()
    assert panel.stage.plan == "0 texts a level: a verdict needs 10."


def test_what_a_panel_still_needs(make):
    """Texts that are left are rated first; with a verdict nothing is needed, and without one what ``recommend`` says."""
    panel = make(per_group=10)
    assert panel.needed == (0, 20)
    while panel.session.left:
        text = panel.item
        panel.rate(1 + int(text.split()[2]) % 5)
    found = ink.analysis.recommend(panel.frame, by="variant", column="rating")
    assert panel.needed == found.needed == (0, 20)
    assert panel.reveal().attrs["analysis"]["notes"][0] == found.sentence
    assert found.sentence in panel.stage.results
    assert "Rate the other 10 of each group first, with per_group=20." in found.sentence
    best = make(question="Which?")
    while best.session.left:
        warm = best.session.current.contents[0].record["variant"] == GROUPS[0]
        best.rate(4 + len(best.session.left) % 2 if warm else 1 + len(best.session.left) % 2)
    assert best.needed is None
    assert best.reveal()["verdict"].tolist() == ["best", "worse"]


def levels(repeats, cases=8):
    """Return texts of five levels in some cases; those of the lowest level are copies in each case."""
    rows = [
        {
            "case": f"product {case}",
            "creativity": level / 4,
            "result": f"{case} {level} {repeat if level else 0}",
        }
        for case in range(cases)
        for level in range(5)
        for repeat in range(repeats)
    ]
    return pd.DataFrame(rows).rename_axis("id")


@pytest.mark.integration
@pytest.mark.parametrize("repeats", [2, 3])
def test_a_verdict_comes_when_it_was_promised(make, repeats):
    """At the number that the page names, all that was rated counts, and a clear lead is named, before and after Reveal."""
    panel = make(frame=levels(repeats), by="creativity", per_group=40)
    first, *_, last = panel.session.verdicts_at()
    for number in range(first):
        best = panel.session.current.contents[0].record["creativity"] == 0.75
        panel.rate((4 if best else 2) + (number % 5 == 0) - (number % 7 == 0))
    found = ink.analysis.recommend(panel.frame, column="rating")
    assert found.choice == 0.75
    assert found.frame["n"].sum() == panel.frame["rating"].count()
    assert [note[:19] for note in found.frame.attrs["analysis"]["notes"]] == ["Left out without ra"]
    assert (panel.needed, last) == (None, len(panel.session.sample.items))
    assert panel.reveal().attrs["analysis"]["notes"][0] == found.sentence


def test_the_last_verdict_is_of_all_that_was_rated(make):
    """It comes when nothing is left to show, also where the groups were revealed before; until then none does."""
    for is_early in (False, True):
        panel = make(question=f"Good? {is_early}", rater=f"ana {is_early}", per_group=14)
        while len(panel.session.left) > (4 if is_early else 1):
            warm = panel.session.current.contents[0].record["variant"] == GROUPS[0]
            panel.rate(len(panel.session.mine) % 5 + 1 if len(panel.session.mine) < 20 else 5 if warm else 1)
        before = ink.analysis.recommend(panel.frame, by="variant", column="rating", smallest=0.01)
        assert set(before.frame["n"]) == {10}
        panel.reveal() if is_early else panel.rate(3)
        after = ink.analysis.recommend(panel.frame, by="variant", column="rating", smallest=0.01)
        assert set(after.frame["n"]) == ({12} if is_early else {14})
        assert panel.frame["raters"].isna().sum() == (16 if is_early else 12)


def test_code_judges_as_keys_do(make, page):
    """``rate``, ``skip`` and ``undo`` act on the item that is shown, and the page follows."""
    panel = make()
    there = page(panel)
    text = panel.item
    panel.rate(4, "good")
    assert panel.sent[0][0]["drop"] == there.tokens[0]
    assert panel.frame.loc[panel.frame["result"] == text, "rating"].tolist() == [4]
    assert panel.ratings["reason"].tolist() == ["good"]
    other = panel.item
    panel.sent.clear()
    panel.skip()
    assert panel.sent[0][0]["drop"] == there.tokens[1]
    assert panel.item not in (text, other)
    panel.undo()
    assert panel.item == text
    assert len(panel.ratings) == 0
    assert panel.frame["rating"].isna().all()


@pytest.mark.parametrize("names", ["variant", ["case", "variant"]], ids=["one", "levels"])
def test_the_index_may_be_of_the_columns(make, runs, names):
    """An index with the name of the column that makes the groups, as ``set_index(drop=False)`` makes it, is no matter."""
    panel = make(frame=runs.reset_index().set_index(names, drop=False))
    panel.rate(4)
    assert panel.frame["rating"].dropna().tolist() == [4]
    assert panel.frame.index.names == ([names] if isinstance(names, str) else names)


def test_undo_of_the_page(make, page):
    """An item that the page still has is only taken back; one that it lost is sent to its front."""
    there = page(make())
    item = there.act("rate", value=2)
    there.queue.insert(0, item)
    there.send(there.panel.stage, "undo", n=7, token=item["token"])
    assert [message["kind"] for message, _ in there.panel.sent] == ["state"]
    there.take()
    assert there.saved[-1] == 7
    assert len(there.panel.ratings) == 0
    there.act("rate", value=2)
    there.send(there.panel.stage, "undo", n=8)
    there.take()
    assert there.tokens[0] == item["token"]
    [again] = [each for each in there.panel.session.sample.items if each.token == item["token"]]
    assert there.panel.item == again.contents[0].text


def test_an_item_is_judged_once_by_two_pages(make, page):
    """What a second page judges is dropped from the first, and a judgment that comes twice counts once."""
    there = page(make())
    token = there.tokens[0]
    for number in (1, 2):
        there.send(there.panel.stage, "rate", n=number, token=token, value=number)
    assert [message["drop"] for message, _ in there.panel.sent if message["kind"] == "state"] == [token, None]
    assert there.panel.ratings["value"].tolist() == [1]


@pytest.mark.parametrize(
    "message",
    [{"value": 9}, {"value": "5"}, {"value": 0}, {"value": True}, {"value": None}, {"value": 3, "reason": 7}],
)
def test_a_wrong_message_is_not_saved(make, page, message):
    """What the page could not have sent is answered as failed, and the item stays."""
    there = page(make())
    token = there.tokens[0]
    there.send(there.panel.stage, "rate", n=1, token=token, **message)
    assert there.panel.sent[-1][0]["kind"] == "failed"
    assert there.panel.sent[-1][0]["n"] == 1
    assert len(there.panel.ratings) == 0


def test_a_full_disk_is_not_saved(make, page, monkeypatch):
    """A judgment that cannot be written is never marked saved; sent again, it is saved."""
    there = page(make())
    token = there.tokens[0]

    def fail(_handle, _line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", fail)
    there.send(there.panel.stage, "rate", n=1, token=token, value=4)
    assert there.panel.sent[-1][0]["kind"] == "failed"
    assert "was not saved" in there.panel.sent[-1][0]["reason"]
    with pytest.raises(ink.ConfigurationError, match="was not saved"):
        there.panel.rate(4)
    monkeypatch.undo()
    there.send(there.panel.stage, "rate", n=2, token=token, value=4)
    there.take()
    assert there.saved[-1] == 2
    assert there.panel.ratings["value"].tolist() == [4]


def test_a_new_panel_goes_on_where_the_last_one_ended(make, runs):
    """The same cell run again has the judgments so far, for this question and these options only."""
    panel = make()
    rated = [panel.item]
    panel.rate(4)
    rated.append(panel.item)
    panel.rate(2)
    again = make()
    assert len(again.session.left) == 38
    assert again.frame.set_index("result")["rating"].dropna().to_dict() == dict(
        zip(rated, (4.0, 2.0), strict=True)
    )
    again.undo()
    assert again.item == rated[1]
    assert len(make(question="Is it true?").session.left) == 40
    assert len(make(scale=7).session.left) == 40
    assert len(make(rater="ben").session.left) == 40
    assert len(make(frame=runs.assign(result=runs["result"] + " edited")).session.left) == 40


def test_groups_are_shown_after_reveal(make, page):
    """Reveal sends the groups and the standing; what is rated then is not blind, in this panel and the next."""
    panel = make()
    there = page(panel)
    there.act("rate", value=5)
    assert "variant" not in panel.ratings
    assert panel.stage.results == ""
    standing = panel.reveal()
    assert list(standing.columns) == ["variant", "n", "mean"]
    there.take()
    assert there.queue[0]["groups"][0].casefold() in GROUPS
    assert panel.ratings["variant"].isin(GROUPS).all()
    assert standing["variant"].iloc[0] in panel.stage.results
    panel.rate(1)
    assert panel.ratings["blind"].tolist() == [True, False]
    other = make()
    other.rate(1)
    assert other.ratings["blind"].tolist() == [True, False, False]
    assert make(rater="ben").session._is_blind(make(rater="ben").session.current)


def test_an_early_reveal_by_the_page(make, page):
    """The Reveal of the page is saved and answered as the others are."""
    there = page(make())
    there.send(there.panel.stage, "reveal", n=1)
    there.take()
    assert there.saved[-1] == 1
    assert there.state["revealed"]
    assert there.queue[0]["groups"]


def test_records_that_were_shown_before_are_not_blind(make, runs):
    """Of records that the rater saw with their group, a rating says so."""
    panel = make()
    panel.session.mark_seen(runs.index[:20])
    while panel.session.left:
        panel.rate(3)
    blind = panel.ratings.set_index("id")["blind"]
    assert not blind[runs.index[:20]].any()
    assert blind[runs.index[20:]].all()


def test_pairs_and_labels(make):
    """A pair has a winner or a tie; labels become a column; both refuse what is not theirs."""
    pairs = make(mode="pairs", question="Which?")
    first, second = pairs.item
    assert first != second
    pairs.rate("right")
    pairs.rate("tie")
    ratings = pairs.ratings
    assert ratings["winner"].fillna(0).tolist() == [ratings["other"].iloc[0], 0]
    with pytest.raises(ink.InvalidArgument, match="left"):
        pairs.rate(3)
    assert {"variant", "n", "win_rate"} <= set(pairs.reveal())
    assert {"variant", "other_variant"} <= set(pairs.ratings)
    labels = make(mode="labels", labels=["keep", "drop"])
    labels.rate("drop")
    assert labels.frame["label"].dropna().tolist() == ["drop"]
    with pytest.raises(ink.InvalidArgument, match="keep"):
        labels.rate("kepe")


def test_several_raters_share_a_file(make):
    """The ratings of all are there, the frame has their mean, and Reveal shows their agreement."""
    ana, ben = make(per_group=3), make(per_group=3, rater="ben")
    for panel in (ana, ben):
        while panel.session.left:
            panel.rate(1 + int(panel.item.split()[2]) % 5)
    assert set(ana.ratings["rater"]) == {"ana", "ben"}
    ana.reveal()
    assert "Agreement of 2 raters" in ana.stage.results
    assert ana.frame["raters"].max() == 2


def test_a_frame_keeps_its_rows(make, runs):
    """The frame has the rows and columns it came with, and the ratings beside them."""
    frame = runs.reset_index().assign(status="created")
    panel = make(frame=frame)
    panel.rate(5)
    pd.testing.assert_frame_equal(panel.frame[frame.columns], frame)
    assert panel.frame["rating"].notna().sum() == 1


@pytest.mark.parametrize(
    ("wrong", "said"), [({"rater": 7}, "rater"), ({"per_grup": 3}, "Did you mean 'per_group'")]
)
def test_wrong_arguments_are_refused(make, path, wrong, said):
    """Each wrong argument is named, and nothing is written."""
    with pytest.raises(ink.InvalidArgument, match=said):
        make(**wrong)
    assert not path.exists()


def test_nothing_is_left_to_rate_or_undo(make):
    """At the end, ``rate`` and ``skip`` say so; at the beginning, ``undo`` does."""
    panel = make(per_group=1)
    with pytest.raises(ink.InvalidArgument, match="no rating to undo"):
        panel.undo()
    for _ in range(2):
        panel.rate(3)
    for act in (lambda: panel.rate(3), panel.skip):
        with pytest.raises(ink.InvalidArgument, match="Everything is rated"):
            act()
    assert repr(panel) == "<RatingPanel: 2 of 2 rated>"


def test_pictures_come_as_bytes_without_metadata(library, make, send, eventually):
    """Pictures are copies with no name, address or text in them; the panel says what they show by themselves."""
    images = library.images.all()
    panel = make(frame=images, by="style", per_group=4)
    assert panel.stage.note == "The picture itself shows its style."
    assert make(frame=images, by="name").stage.note == ""
    looks = make(frame=images, by=["style", "medium", "name"]).stage.note
    assert looks == "The picture itself shows its style and medium."
    send(panel.stage, "ready")
    eventually(lambda: sum(message["kind"] == "item" for message, _ in panel.sent) == 6)
    buffers = [buffer for _, buffers in panel.sent if buffers for buffer in buffers]
    assert all(buffer.startswith(b"\xff\xd8") for buffer in buffers)
    for name in ("Image ", "anime", "sketch", "retro", "two boats", "/api/"):
        assert name not in words(panel)
    panel.rate(5)
    assert panel.frame["rating"].notna().sum() == 1


def test_a_picture_that_cannot_be_shown_is_left_out(library, make, send, eventually):
    """An image that is gone is not rated; how many were left out is said, but not which."""
    panel = make(frame=library.images.all(), by=None)
    gone = panel.session.left[2]
    library.images.delete(gone.contents[0].record["id"])
    send(panel.stage, "ready")
    eventually(lambda: panel.status.text == "1 picture cannot be shown and will not be rated.")
    assert gone not in panel.session.left
    assert len(panel.session.left) == 11
    eventually(lambda: sum(message["kind"] == "item" for message, _ in panel.sent) == 6)
    assert "no image" not in words(panel)


def test_whole_results(make, runs, recorded):
    """What Reveal shows of several raters, of pairs, of labels, and without groups."""
    found = {}
    for name, options in {
        "scale": {}, "two columns": {"by": ["variant", "case"]}, "no groups": {"by": None, "per_group": 5},
        "pairs": {"mode": "pairs", "per_group": 6}, "labels": {"mode": "labels", "labels": ["keep", "drop"]},
    }.items():  # fmt: skip
        for rater in ("ana", "ben"):
            panel = make(rater=rater, question=name, **options)
            for at in range(10):
                if panel.item is not None:
                    value = {"pairs": ("left", "tie")[at % 2], "labels": ("keep", "drop")[at % 2]}.get(
                        name, 1 + at % 5
                    )
                    panel.rate(value)
        assert repr(panel).startswith("<RatingPanel: 10 of") or name == "pairs"
        copies = []
        panel.on_result = copies.append
        standing = panel.reveal()
        found[name] = {
            "html": panel.stage.results.split("\n"), "text": copies[-1]["text/plain"].split("\n"), "repr": repr(panel),
            "standing": standing, "note": panel.stage.note,
            "choices": panel.stage.choices, "by": panel.by, "columns": list(panel.frame.columns),
        }  # fmt: skip
    recorded("results", found)
