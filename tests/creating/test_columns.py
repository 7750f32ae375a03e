"""Columns from prompts: run again like a spreadsheet, each row paid for once, edits left alone."""

import io
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import pytest
from tests.services import Accounts, Faults, FaultyService

import inkframe as ink

PRODUCTS = pd.DataFrame(
    {"product": ["a kettle", "a lamp", "a rug", None, "a lamp"], "price": [12.0, 7.5, 100.0, 5.0, 7.5]},
    index=pd.Index(["x", "y", "y", "z", "w"], name="sku"),
)
PROMPT = "Describe {product}."
COLUMN = ["text", "text_id", "text_status", "text_error"]


@pytest.fixture
def client():
    with ink.connect(library=":memory:", engine="offline") as client:
        yield client


def of(frame, name="text_status"):
    """Return a column as a list, None where a value is missing."""
    return frame[name].astype(object).where(frame[name].notna(), None).tolist()


@pytest.mark.integration
def test_a_text_for_each_row(client):
    """The frame comes back with its index and columns, and the texts, ids, statuses and errors beside them."""
    before = PRODUCTS.copy()
    made = client.documents.write(PRODUCTS, PROMPT)
    assert made.columns.tolist() == ["product", "price", *COLUMN]
    pd.testing.assert_frame_equal(made[["product", "price"]], before)
    pd.testing.assert_frame_equal(PRODUCTS, before)
    assert of(made) == ["created", "created", "created", "skipped", "created"]
    assert of(made, "text_error") == [None, None, None, "'product' is missing", None]
    documents = [client.documents.get(id) for id in of(made, "text_id") if id]
    assert [each.name for each in documents] == ["a kettle", "a lamp", "a rug", "a lamp"]
    assert [each.prompt for each in documents] == [f"Describe {each.name}." for each in documents]
    assert [each.result for each in documents] == [text for text in of(made, "text") if text]
    assert len({each.id for each in documents}) == 4  # the equal rows have two
    assert made.attrs["columns"] == {"text": "documents"}
    assert made.attrs["inkframe"]["client"]


@pytest.mark.integration
def test_a_picture_for_each_row(client):
    """A column of pictures has their locations; settings come from columns, too."""
    frame = PRODUCTS.dropna().assign(look=["anime", "retro", "sketch", "anime"])
    made = client.images.draw(
        frame, "A photo of {product}", resolution="256x256", style="{look}", name="{sku}"
    )
    images = [client.images.get(id) for id in of(made, "picture_id")]
    assert [each.style for each in images] == of(frame, "look")
    assert [each.name for each in images] == ["x", "y", "y", "w"]
    assert [each.picture_url for each in images] == of(made, "picture")
    equal = client.images.draw(PRODUCTS, "A photo of {product}", resolution="256x256")
    assert of(equal, "picture_status").count("created") == len(set(of(equal, "picture_id")) - {None}) == 4
    both = client.documents.write(made, PROMPT)
    assert both.columns.tolist()[-4:] == COLUMN
    assert both.attrs["columns"] == {"picture": "images", "text": "documents"}


@pytest.mark.integration
def test_run_again_nothing_is_created(client, capsys):
    """Neither the original frame nor the result costs anything again; the latter needs no request."""
    made = client.documents.write(PRODUCTS, PROMPT)
    again = client.documents.write(PRODUCTS, PROMPT)
    assert of(again) == ["existing", "existing", "existing", "skipped", "existing"]
    assert of(again, "text_id") == of(made, "text_id")
    assert of(again, "text") == of(made, "text")
    assert client.created == 4
    client.close()
    capsys.readouterr()
    pd.testing.assert_frame_equal(client.documents.write(made, PROMPT), again)
    assert capsys.readouterr().out == "Left out: 'product' is missing in 1 row: 'z'.\n"
    client.documents.write(PRODUCTS.dropna(), PROMPT)
    assert capsys.readouterr().out == ""


@pytest.mark.integration
def test_what_changed_is_made_anew(client, capsys):
    """A changed row is made anew and one set back finds its earlier record; an emptied cell is filled, an edit stays."""
    made = client.documents.write(PRODUCTS, PROMPT)
    changed = made.copy()
    changed.loc["x", "product"] = "a pan"
    capsys.readouterr()
    second = client.documents.write(changed, PROMPT)
    assert of(second) == ["created", "existing", "existing", "skipped", "existing"]
    assert (
        "1 document replaced in the frame; the service keeps the earlier ones.\n" in capsys.readouterr().out
    )
    assert client.documents.get(int(made["text_id"].iloc[0])).name == "a kettle"
    second.loc["x", "product"] = "a kettle"
    second.iloc[1, second.columns.get_loc("text")] = " "
    second.iloc[2, second.columns.get_loc("text")] = "My own words."
    third = client.documents.write(second, PROMPT)
    assert of(third) == ["existing", "existing", "edited", "skipped", "existing"]
    assert of(third, "text_id") == of(made, "text_id")
    assert of(third, "text")[:3] == [*of(made, "text")[:2], "My own words."]
    assert client.created == 5
    assert "1 cell of 'text' edited by hand, left unchanged.\n" in capsys.readouterr().out
    # What a person wrote stays even if its row changed, and a cell without id is a person's.
    third.iloc[2, third.columns.get_loc("product")] = "a sofa"
    third.iloc[0, third.columns.get_loc("text_id")] = None
    fourth = client.documents.write(third, PROMPT)
    assert of(fourth) == ["edited", "existing", "edited", "skipped", "existing"]
    assert client.created == 5


@pytest.mark.integration
def test_made_again_once(client):
    """``again`` replaces records once for one frame, and once more for the frame with the new records."""
    made = client.documents.write(PRODUCTS, PROMPT)
    mask = made["product"] == "a lamp"
    anew = client.documents.write(made, PROMPT, again=mask)
    assert of(anew) == ["existing", "created", "existing", "skipped", "created"]
    assert set(of(anew, "text_id")) & set(of(made, "text_id")) == {1, 3, None}
    same = client.documents.write(made, PROMPT, again=mask)
    assert of(same, "text_id") == of(anew, "text_id")
    assert client.created == 6
    emptied = anew.assign(text=None)
    for frame in (anew, emptied):
        again = client.documents.write(frame, PROMPT)
        assert of(again) == ["existing"] * 3 + ["skipped", "existing"]
        assert of(again, "text_id") == of(anew, "text_id")
    assert of(client.documents.write(anew, PROMPT, again=mask))[1] == "created"
    assert client.created == 8
    with pytest.raises(ink.InvalidArgument, match="again needs the column text_id"):
        client.documents.write(PRODUCTS, PROMPT, again=True)


@pytest.mark.integration
@pytest.mark.parametrize("is_received", [True, False])
def test_an_interrupted_replacement_is_looked_for(is_received):
    """What an interrupted ``again`` may have created is found when the cell is run again, or replaced once it was not."""
    service = FaultyService("template_unlimited", images=0, documents=0)
    answer = service.transport.handle_request

    def handle_request(request):
        if is_received:
            answer(request)
        raise KeyboardInterrupt

    with ink.Client(service.base_url, service.key, transport=service.transport, concurrency=1) as client:
        made = client.documents.write(PRODUCTS, PROMPT)
        replaced = {"frame": made, "prompt": PROMPT, "again": made.index == "x"}
        service.transport.handle_request = handle_request
        with pytest.raises(ink.BatchInterrupted):
            client.documents.write(**replaced)
        service.transport.handle_request = answer
        found = client.documents.write(**replaced)
        assert (of(found)[0], service.generations) == (("existing", 5) if is_received else ("unknown", 4))
        last = client.documents.write(**replaced)
    assert of(last)[0] == ("existing" if is_received else "created")
    assert service.generations == 5


@pytest.mark.integration
def test_examples_for_new_rows_only(client, capsys):
    """Examples follow the prompt of rows that are created now; others stay, approved rows are not made again."""
    made = client.documents.write(PRODUCTS, PROMPT, where=PRODUCTS.index == "x")
    assert of(made) == ["created", None, None, None, None]
    approved = made.index == "x"
    rest = client.documents.write(made, PROMPT, examples=approved)
    assert of(rest) == ["existing", "created", "created", "skipped", "created"]
    prompt = client.documents.get(int(rest["text_id"].iloc[1])).prompt
    assert prompt == (
        "Describe a lamp.\n\nThese are approved examples of other cases. Write in their manner.\n\n"
        f"Case: Describe a kettle.\nText: {made['text'].iloc[0]}"
    )
    # Run again with the examples, without them, and from the beginning: each row has its record.
    for frame, options in ((rest, {}), (made, {}), (PRODUCTS, {}), (made, {"examples": approved})):
        assert of(client.documents.write(frame, PROMPT, **options), "text_id") == of(rest, "text_id")
    assert client.created == 4
    anew = client.documents.write(rest, PROMPT, again=True, examples=rest[approved])
    assert of(anew) == ["existing", "created", "created", "skipped", "created"]
    assert of(anew, "text_id")[0] == made["text_id"].iloc[0]
    other = client.documents.write(anew, PROMPT, again=True, examples=anew.index == "w")
    last = client.documents.write(PRODUCTS, PROMPT)
    assert of(last, "text_id")[:3] == [made["text_id"].iloc[0], *of(other, "text_id")[1:3]]
    once_more = client.documents.write(anew, PROMPT, again=approved)
    assert once_more["text_id"].iloc[0] not in of(anew, "text_id")
    twice = client.documents.write(anew, PROMPT, again=PRODUCTS["price"] == 100)
    assert twice["text_id"].iloc[2] not in of(rest, "text_id") + of(anew, "text_id")


@pytest.mark.integration
def test_examples_of_another_table(client):
    """A frame of a person's own texts serves as examples, although it has no ids."""
    own = pd.DataFrame({"product": ["a cup"], "text": ["A cup for two."]})
    made = client.documents.write(PRODUCTS, PROMPT, examples=own)
    assert of(made).count("created") == 4
    prompt = client.documents.get(int(made["text_id"].iloc[0])).prompt
    assert prompt.endswith("Case: Describe a cup.\nText: A cup for two.")


@pytest.mark.integration
def test_settings_of_rows(client):
    """A row that lacks a setting is left out, and a value that is not allowed matters only where it is filled."""
    frame = PRODUCTS.assign(level=[0, 0.3, 0.5, 0, None])
    with pytest.raises(ink.InvalidArgument, match="row 'y': creativity="):
        client.documents.write(frame, PROMPT, creativity="{level}")
    made = client.documents.write(frame, PROMPT, creativity="{level}", where=frame["level"] != 0.3)
    assert of(made) == ["created", None, "created", "skipped", "skipped"]
    assert of(made, "text_error")[-1] == "'level' is missing"
    assert [client.documents.get(id).creativity for id in of(made, "text_id") if id] == [0, 0.5]
    named = client.documents.write(frame, PROMPT, name="{level}")
    assert of(named, "text_error") == [None, None, None, "'product' is missing", "'level' is missing"]


@pytest.mark.parametrize("rows", [0, 9])
def test_examples_are_few(client, rows):
    """No examples, more than eight, and some without a text are refused."""
    frame = pd.DataFrame({"product": [f"p {n}" for n in range(9)], "text": "t", "text_status": "created"})
    with pytest.raises(
        ink.InvalidArgument, match=f"examples must be 1 to 8 rows with a text in 'text', got {rows} rows"
    ):
        client.documents.write(frame, PROMPT, examples=[n < rows for n in range(9)])
    with pytest.raises(ink.InvalidArgument, match="examples must be 1 to 8 rows with a text"):
        client.documents.write(frame, PROMPT, examples=frame.assign(text=None).head(2))


@pytest.mark.integration
@pytest.mark.parametrize("kind", ["text", "picture"])
def test_a_column_of_the_user_is_filled_on_request_only(client, kind):
    """It is refused before anything is sent, also an empty one; with overwrite it is replaced whole, once."""
    frame = PRODUCTS.iloc[:3].assign(**{kind: ["My own.", None, "Mine, too."]})
    fill = client.documents.write if kind == "text" else client.images.draw
    options = {} if kind == "text" else {"resolution": "256x256"}
    number = PRODUCTS.iloc[:3].assign(**{f"{kind}_id": [7, 8, 9]})
    own = {
        kind: [frame, frame.assign(**{kind: None}), frame.assign(**{f"{kind}_id": 7})],
        f"{kind}_id": [number],
    }
    for column, frames in own.items():
        for each in frames:
            with pytest.raises(ink.InvalidArgument) as caught:
                fill(each, PROMPT, **options)
            assert str(caught.value) == (
                f"The column {column!r} is your own, and would be filled.\n"
                "Pass another name as into=…, or overwrite=True to replace the whole column."
            )
    assert client.created == 0
    made = fill(frame, PROMPT, overwrite=True, **options)
    assert of(made, f"{kind}_status") == ["created"] * 3
    assert not {"My own.", "Mine, too."} & set(made[kind])
    assert frame[kind].tolist()[0] == "My own."
    made.loc["x", kind] = "Edited."
    for each in (made, frame):  # run again, also the same cell
        again = fill(each, PROMPT, overwrite=True, **options)
        assert set(of(again, f"{kind}_status")) == {"existing", *(["edited"] if each is made else [])}
    for each in [*own[kind], number]:
        replaced = fill(each, PROMPT, overwrite=True, **options)
        assert of(replaced, f"{kind}_status") == ["existing"] * 3
        assert of(replaced, f"{kind}_id") == of(made, f"{kind}_id")
    assert client.created == 3
    there = fill(
        made.drop(columns=[f"{kind}_status", f"{kind}_error"]), PROMPT, **options
    )  # the frame knows its column
    assert of(there, f"{kind}_id") == of(made, f"{kind}_id")


@pytest.mark.integration
def test_preview_and_the_line_that_creates_the_rest(client, capsys):
    """The first rows are created, the others wait, and the printed line creates them."""
    first = client.documents.write(PRODUCTS, PROMPT, into="words", name="{sku}", preview=1)
    assert of(first, "words_status") == ["created", "waiting", "waiting", "skipped", "waiting"]
    line = "frame = client.documents.write(frame, 'Describe {product}.', into='words', name='{sku}')"
    assert f"3 rows left for later.\nTo create the rest:\n{line}\n" in capsys.readouterr().out
    names = {"frame": first, "client": client}
    exec(line, names)  # noqa: S102  # the line that a person runs
    assert of(names["frame"], "words_status") == ["existing", "created", "created", "skipped", "created"]
    assert of(client.documents.write(first, PROMPT, into="words", name="{sku}", preview=2), "words_status")[1] == "existing"  # fmt: skip
    # What is there already is no part of a preview.
    known = client.documents.write(PRODUCTS, PROMPT, into="words", name="{sku}", preview=1)
    assert of(known, "words_status") == ["existing"] * 3 + ["skipped", "existing"]
    assert client.created == 4
    other = client.documents.write(known, "Praise {product}.", into="words", name="{sku}", preview=1)
    assert of(other, "words_status") == ["created", "stale", "stale", "skipped", "stale"]


@pytest.mark.integration
def test_many_creates_are_confirmed():
    """On a billed service more than 25 need their number, and the error has the whole line."""
    service = FaultyService(images=0, documents=0)
    frame = pd.DataFrame({"product": [f"p {n}" for n in range(26)]})
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        with pytest.raises(ink.InvalidArgument) as caught:
            client.documents.write(frame, PROMPT, creativity=1)
        line = "frame = client.documents.write(frame, 'Describe {product}.', creativity=1, confirm=26)"
        assert str(caught.value).endswith(f"Nothing was sent. {line}")
        with pytest.raises(ink.InvalidArgument, match="confirm must be 26"):
            client.documents.submit_write(frame, PROMPT)
        assert service.generations == 0
        assert of(client.documents.write(frame, PROMPT, preview=3))[:4] == ["created"] * 3 + ["waiting"]
        assert of(client.documents.write(frame, PROMPT, confirm=26)).count("created") == 23
    assert service.generations == 26


@pytest.mark.integration
def test_columns_as_jobs(client):
    """A column in the background has the frame so far, and the same records as in the foreground, to be rated, too."""
    job = client.documents.submit_write(PRODUCTS, PROMPT)
    made = job.result(30)
    assert of(made) == ["created", "created", "created", "skipped", "created"]
    pd.testing.assert_frame_equal(job.frame, made)
    assert repr(job._view._endings["Rate blind"]()) == "<RatingPanel: 0 of 4 rated>"
    drawn = client.images.submit_draw(made, "A photo of {product}", resolution="256x256").result(30)
    assert of(drawn, "picture_status").count("created") == 4
    assert of(client.documents.write(drawn, PROMPT), "text_id") == of(made, "text_id")


@pytest.mark.integration
def test_frames_of_any_origin(client):
    """Names that appear twice or are no text, levels, categories, dates and NA stay as they are."""
    odd = pd.DataFrame(
        [[1, "a", 2.0, pd.NA, pd.Timestamp("2026-01-01")], [2, "b", np.nan, 5, pd.NaT]],
        columns=pd.Index(["n", "n", 5, ("a", "b"), "day"], dtype=object, tupleize_cols=False),
        index=pd.MultiIndex.from_tuples([("k", 1), ("k", 1)], names=["group", None]),
    )
    odd["kind"] = pd.Categorical(["x", "y"])
    made = client.documents.write(odd, "{kind} {group} {level_1}", name="{kind}")
    pd.testing.assert_frame_equal(made.iloc[:, :6], odd)
    assert [client.documents.get(id).prompt for id in of(made, "text_id")] == ["x k 1", "y k 1"]
    levels = pd.DataFrame([["a"], ["b"]], columns=pd.MultiIndex.from_tuples([("what", "it is")]))
    made = client.documents.write(levels, "{what it is}")
    assert made.iloc[:, 0].tolist() == ["a", "b"]
    assert made["text"].notna().to_numpy().all()
    again = client.documents.write(made, "{what it is}")
    assert again.columns.equals(made.columns)
    assert again["text_status"].tolist() == ["existing", "existing"]
    own = PRODUCTS.assign(text="My own.", note="n")
    assert client.documents.write(own, PROMPT, overwrite=True).columns.tolist() == [
        "product",
        "price",
        *COLUMN,
        "note",
    ]
    empty = client.documents.write(PRODUCTS.head(0), PROMPT)
    assert empty.columns.tolist() == ["product", "price", *COLUMN]
    unnamed = client.documents.write(pd.DataFrame({"n": [5, 6]}), "{n} of {index}")
    assert [client.documents.get(id).name for id in of(unnamed, "text_id")] == ["5", "6"]
    assert [client.documents.get(id).prompt for id in of(unnamed, "text_id")] == ["5 of 0", "6 of 1"]
    kinds = client.documents.write(pd.DataFrame({"kind": pd.Categorical(["x", "y"])}), "{kind}")
    assert [client.documents.get(id).name for id in of(kinds, "text_id")] == ["x", "y"]
    # A generated text is no name.
    beside = client.documents.write(unnamed, "{n}", into="more")
    assert [client.documents.get(id).name for id in of(beside, "more_id")] == ["5", "6"]


@pytest.mark.integration
@pytest.mark.parametrize("levels", [["name"], ["prompt", "creativity"]], ids=" ".join)
def test_an_index_may_have_the_name_of_a_field(client, levels):
    """Levels of the index that are named as fields of records are values as others, and equal rows are numbered."""
    table = pd.DataFrame({level: ["a", "b", "b"] for level in levels}).set_index(levels)
    made = client.documents.write(table, f"Describe {{{levels[0]}}}.")
    assert made.index.equals(table.index)
    assert [client.documents.get(id).name for id in of(made, "text_id")] == [
        " ".join([each] * len(levels)) for each in ["a", "b", "b"]
    ]
    assert of(client.documents.write(made, f"Describe {{{levels[0]}}}.")) == ["existing"] * 3


@pytest.mark.integration
@pytest.mark.parametrize("ids", [str, object, float])
@pytest.mark.parametrize("fetched", [True, False], ids=["fetched here", "of a file"])
def test_ids_of_another_type_name_the_same_records(client, ids, fetched):
    """Where a cast or a file has changed the type of the ids, cells stay, are filled and pushed as before."""
    made = client.documents.write(PRODUCTS.dropna(), PROMPT)
    cast = made.astype({"text_id": ids})
    if not fetched:
        cast.attrs = {}
    assert of(client.documents.write(cast, PROMPT)) == ["existing"] * 4
    cast.iloc[0, cast.columns.get_loc("text")] = None
    cast.iloc[1, cast.columns.get_loc("text")] = "My own words."
    again = client.documents.write(cast, PROMPT)
    assert of(again) == ["existing", "edited", "existing", "existing"]
    assert [*map(int, again["text_id"])] == [*made["text_id"]]
    report = client.documents.push(again, column="text")
    assert report["outcome"].tolist() == ["changed"]
    assert client.documents.get(made["text_id"].iloc[1]).result == "My own words."
    assert client.created == 4


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"prompt": "Describe {prodct}."}, "prompt has the unknown placeholder {prodct}.\nDid you mean {product}?"),
        ({"frame": pd.DataFrame([["a", "b"]], columns=["product", "product"])},
         "The frame has 2 columns 'product'.\nRename or drop all but one."),
        ({"prompt": "{text}", "frame": PRODUCTS.assign(text="t")}, "{text} is the column to fill, and cannot be used to fill it."),
        ({"prompt": 5}, "prompt must be a string, got 5."),
        ({"prompt": ["a", "b"]}, "prompt must be a string, got ['a', 'b']."),
        ({"frame": 5}, "frame must be a DataFrame or a list of mappings, got int."),
        ({"into": " "}, "into is empty."),
        ({"creativity": [0, 1]}, "Each setting of a column must be one value"),
        ({"creativity": 0.3}, "creativity="),
        ({"where": [True]}, "where must be True or False for each of 5 rows, got a list of other values."),
        ({"where": ["yes"] * 5}, "where must be True or False for each of 5 rows, got a list of other values."),
        ({"where": pd.Series([True] * 5)}, "where must be True or False for each of 5 rows, got a Series with another index."),
        ({"preview": -1}, "preview must be 0 or greater, got -1."),
        ({"frame": PRODUCTS.set_axis(["product", "text"], axis=1).assign(b=1).set_axis(["product", "text", "text"], axis=1)},
         "The frame has 2 columns 'text'."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused(client, changed, message):
    """A mistake in an argument is refused before anything is sent."""
    with pytest.raises(ink.InvalidArgument) as caught:
        client.documents.write(**{"frame": PRODUCTS, "prompt": PROMPT} | changed)
    assert str(caught.value).startswith(message)
    assert client.created == 0


def test_an_interrupt_keeps_what_there_is():
    """Ctrl-C raises the error of a batch whose frame has the caller's columns; run again, it creates the rest."""
    service = FaultyService(images=0, documents=0)
    answer = service.transport.handle_request

    def handle_request(request):
        if service.generations == 2:
            raise KeyboardInterrupt
        return answer(request)

    service.transport.handle_request = handle_request
    with ink.Client(service.base_url, service.key, transport=service.transport, concurrency=1) as client:
        with pytest.raises(ink.BatchInterrupted) as caught:
            client.documents.write(PRODUCTS, PROMPT)
        assert caught.value.frame.columns.tolist() == ["product", "price", *COLUMN]
        assert of(caught.value.frame).count("created") == 2
        service.transport.handle_request = answer
        made = client.documents.write(PRODUCTS, PROMPT)
    assert of(made).count("existing") == 2


def test_a_failure_keeps_the_cell():
    """A record that cannot be made anew leaves the earlier text and id, with the error beside them."""
    service = FaultyService(images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport, max_retries=0) as client:
        made = client.documents.write(PRODUCTS, PROMPT)
        service.plan(Faults(script={1: "server_error"}, where=lambda request: request.method == "POST"))
        failed = client.documents.write(made, PROMPT, again=made.index == "x")
    assert of(failed)[0] in {"failed", "unknown"}
    assert failed["text_error"].iloc[0]
    assert of(failed, "text") == of(made, "text")
    assert of(failed, "text_id") == of(made, "text_id")


def test_an_edit_of_a_late_text_stays():
    """A text that came after its create, and was edited then, stays when its row changes; one that was not is replaced."""
    service = FaultyService(images=0, documents=0, background=60)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.write(PRODUCTS, PROMPT)
        assert of(made) == ["pending", "pending", "pending", "skipped", "pending"]
        # One that never was in the frame has nothing to do with the cell.
        own = made.assign(text="My own.")
        assert of(client.documents.write(own, "About {product}."), "text_status").count("edited") == 4
        again = client.documents.write(made, PROMPT, again=made.index == "x")
        service.clock.advance(61)
        there = client.documents.write(made, PROMPT)
        assert of(there, "text_id") == of(made, "text_id")
        # Records that were read later are still the earlier ones.
        assert of(client.documents.write(there, PROMPT, again=there.index == "x"), "text_id") == of(
            again, "text_id"
        )
        there.iloc[1, there.columns.get_loc("text")] = "My own words."
        there["product"] = ["a pan", "a sofa", *there["product"][2:]]
        changed = client.documents.write(there, PROMPT)
    assert of(changed) == ["pending", "edited", "existing", "skipped", "existing"]
    assert changed["text"].iloc[1] == "My own words."


@pytest.mark.parametrize("background", [0, 60])
def test_an_edited_picture_stays(background):
    """A location that a person wrote stays when its row changes; that of the service does not, in any signature."""
    service = FaultyService(images=0, documents=0, background=background, picture_lifetime=90)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        options = {"description": "A photo of {product}", "resolution": "256x256"}
        client.images.draw(PRODUCTS, **options)
        service.clock.advance(61)
        made = client.images.draw(PRODUCTS, **options)
        assert of(made, "picture_status") == ["existing", "existing", "existing", "skipped", "existing"]
        made.iloc[1, made.columns.get_loc("picture")] = "mine.png"
        made["product"] = ["a pan", "a sofa", *made["product"][2:]]
        changed = client.images.draw(made, **options)
    assert service.generations == 5
    assert of(changed, "picture_status")[1:] == ["edited", "existing", "skipped", "existing"]
    assert changed["picture"].iloc[1] == "mine.png"


@pytest.mark.integration
def test_unchanged_rows_are_read_by_pages():
    """Rows whose frame has no ids cost a page for each hundred; edited ones, and those of short lists, a request each."""
    service = FaultyService(images=0, documents=0)
    frame = pd.DataFrame({"product": [f"p {n}" for n in range(150)]})
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.write(frame, PROMPT, confirm=150)
        client.documents.update(int(made["text_id"].iloc[7]), result="Edited.")
        sent = len(service.requests)
        again = client.documents.write(frame, PROMPT)
        assert len(service.requests) - sent <= 4
        assert of(again, "text") == [*of(made, "text")[:7], "Edited.", *of(made, "text")[8:]]
        sent = len(service.requests)
        statuses = of(client.documents.write(again, PROMPT))
        assert (statuses.pop(7), {*statuses}) == ("edited", {"existing"})
        assert len(service.requests) == sent
        plan = ink.plan_documents(PROMPT, name="{product}", creativity=0.5, variables=frame, quiet=True)
        assert (client.documents.create_many(plan)["status"] == "existing").all()
        assert len(service.requests) - sent <= 4


@pytest.mark.integration
def test_a_record_that_was_deleted_is_not_created_unasked(client, capsys):
    """A row whose record was deleted is skipped, with what creates it, and ``again`` does."""
    made = client.documents.write(PRODUCTS, PROMPT)
    client.documents.delete(int(made["text_id"].iloc[0]))
    skipped = client.documents.write(PRODUCTS, PROMPT)
    assert of(skipped) == ["skipped", "existing", "existing", "skipped", "existing"]
    assert skipped["text_error"].iloc[0] == "created as 1 and deleted since; again= creates it anew"
    anew = client.documents.write(skipped, PROMPT, again=skipped.index == "x")
    assert of(anew)[0] == "created"
    assert client.created == 5


def test_another_key_is_asked():
    """What another key wrote is skipped, as it may be of another account; ``again`` creates it for this one, once."""
    services = {key: FaultyService(documents=0, images=0) for key in ("one", "two")}
    accounts, frame = Accounts(services), PRODUCTS.head(2)

    def client(key):
        return ink.Client(services["one"].base_url, key, transport=accounts.transport)

    with client("one") as first:
        first.documents.write(frame, PROMPT)
    with client("two") as second:
        made = second.documents.write(frame, PROMPT)
        assert of(made) == ["skipped", "skipped"]
        assert made["text_error"].str.contains("another key.*again= creates it anew").all()
        assert services["two"].generations == 0
        anew = second.documents.write(made, PROMPT, again=True)
        assert of(anew) == ["created", "created"]
        for again in (True, False):
            assert of(second.documents.write(made, PROMPT, again=again), "text_id") == of(anew, "text_id")
    assert services["two"].generations == 2


@pytest.mark.integration
def test_columns_of_two_services(client):
    """Columns of two clients stand beside each other; a call uses the client of its column, and each takes its own texts."""
    with ink.connect(library=":memory:", engine="offline") as other:
        made = client.documents.write(PRODUCTS.dropna(), PROMPT)
        both = other.documents.write(made, PROMPT, into="other")
        assert (client.created, other.created) == (4, 4)
        both.iloc[0, both.columns.get_loc("other")] = "Edited."
        with pytest.raises(ink.InvalidArgument, match="2 columns of generated documents: 'text', 'other'"):
            both.ink.push()
        assert both.ink.push(column="other", dry_run=True)["outcome"].tolist() == ["planned"]
        assert other.documents.push(both, column="other")["outcome"].tolist() == ["changed"]
        assert other.documents.get(int(both["other_id"].iloc[0])).result == "Edited."
        assert "Edited." not in client.documents.all(progress=False)["result"].tolist()


@pytest.mark.integration
@pytest.mark.parametrize("last", [2**63 - 2, 2**63])
def test_ids_beyond_64_bits_are_texts(last):
    """Where an id does not fit an integer column, all are texts, in each call that returns ids, and cost once."""
    service = FaultyService("template_unlimited", images=0, documents=1)
    service.documents[last] = service.documents.pop(1) | {"id": last}
    ids = [str(last + 1), str(last + 2)]
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.write(pd.DataFrame({"product": ["a kettle", "a lamp"]}), PROMPT)
        again = client.documents.write(made, PROMPT)
        rows = [{"name": each, "prompt": PROMPT.format(product=each)} for each in made["product"]]
        runs = client.documents.create_many(rows, progress=False)
        assert sorted(of(made, "text_id")) == ids
        assert of(again, "text_id") == of(runs, "id") == of(made, "text_id")
        assert service.generations == 2
        report = client.documents.delete_many(of(made, "text_id"), confirm=2)
    assert of(report, "status") == ["deleted", "deleted"]


def from_csv(frame):
    """Return a table as it comes back from a file."""
    return pd.read_csv(io.StringIO(frame.to_csv(index=False)))


DATED = pd.DataFrame({"day": pd.to_datetime(["2026-01-02", "2026-03-04"]), "product": ["a kettle", "a lamp"]})
CODED = pd.DataFrame({"code": [7, 8], "product": ["a kettle", "a lamp"]})


@pytest.mark.integration
@pytest.mark.parametrize(
    ("table", "change"),
    [
        pytest.param(DATED, from_csv, id="dates that come back as texts"),
        pytest.param(DATED[["day"]], from_csv, id="dates alone"),
        pytest.param(CODED, lambda table: table.astype({"code": str}), id="numbers that become texts"),
        pytest.param(CODED.assign(code="x"), lambda table: table[["product", "code"]], id="another order"),
        pytest.param(CODED, lambda table: table.assign(note="new")[["note", *table]], id="a column in front"),
    ],
)
def test_names_do_not_follow_types_and_order(table, change, capsys):
    """Rows keep the names under which they were created, in the printed line too, so that none is paid for again."""
    prompt = "Describe {product}." if "product" in table else "Describe {day}."
    service = FaultyService("template_unlimited", images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.write(table, prompt)
        frame = change(table)
        assert of(client.documents.write(frame, prompt)) == ["existing"] * 2
        added = pd.concat([frame, frame[:1].assign(product="a rug", day="2026-05-06")[[*frame]]])
        capsys.readouterr()
        later = client.documents.write(added, prompt, preview=0)
        assert of(later) == ["existing", "existing", "waiting"]
        keeps_default = list(table) == ["day"]
        assert (", name='{" in capsys.readouterr().out.splitlines()[-1]) is not keeps_default
        later = client.documents.write(added, prompt)
    assert of(later, "text_id")[:2] == of(made, "text_id")
    assert service.generations == 3


LABELED = pd.DataFrame({"sku": ["A\n1", "A 2"], "product": ["a kettle", "a lamp"], "due": [pd.NaT] * 2})


@pytest.mark.integration
@pytest.mark.parametrize("way", ["write", "draw"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda made: made.drop(columns="sku"), id="the column with the names dropped"),
        pytest.param(lambda made: made.assign(sku=[1, 2]), id="other names"),
        pytest.param(lambda made: made.set_index(["sku", "product"]), id="two levels"),
        pytest.param(lambda made: made.set_index("sku"), id="names on several lines as labels"),
    ],
)
def test_a_name_that_nobody_gave_makes_no_row_anew(way, change):
    """Rows with their records stay, at no request, as long as their texts and settings do; a given name counts."""
    service = FaultyService("template_unlimited", images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        fill = client.documents.write if way == "write" else partial(client.images.draw, resolution="256x256")
        made = fill(LABELED, PROMPT, into="made")
        sent = len(service.requests)
        again = fill(change(made), PROMPT, into="made")
        assert of(again, "made_status") == ["existing"] * 2
        assert (of(again, "made"), len(service.requests)) == (of(made, "made"), sent)
        assert of(fill(change(made), "Sell {product}.", into="made"), "made_status") == ["created"] * 2
        named = fill(made, PROMPT, into="made", name="{product}!")
    assert of(named, "made_status") == ["created"] * 2
    assert service.generations == 6


@pytest.mark.integration
@pytest.mark.parametrize("way", ["where", "apart"])
def test_a_new_column_in_front_renames_no_records(way, capsys):
    """Rows that have their records stay, though new ones beside them were filled first, with these names or others."""
    service = FaultyService("template_unlimited", images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.write(CODED, PROMPT)
        made.insert(0, "kind", ["k", "l"])
        added = pd.DataFrame({"kind": ["r"], "code": [9], "product": ["a rug"]})
        if way == "where":
            frame = pd.concat([made, added], ignore_index=True)
            frame = client.documents.write(frame, PROMPT, where=frame["text"].isna())
        else:
            frame = pd.concat([made, client.documents.write(added, PROMPT)], ignore_index=True)
        capsys.readouterr()
        again = client.documents.write(frame, PROMPT)
        emptied = client.documents.write(again.assign(text=pd.NA), PROMPT)
        assert capsys.readouterr().out == ""
    assert of(again) == of(emptied) == ["existing"] * 3
    assert of(emptied, "text_id") == of(again, "text_id") == of(frame, "text_id")
    assert of(emptied, "text") == of(frame, "text")
    names = [service.documents[id]["name"] for id in of(frame, "text_id")]
    assert names == ["a kettle", "a lamp", "a rug" if way == "where" else "r"]
    assert service.generations == 3


@pytest.mark.integration
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda made: made.iloc[[1, 2, 3]], id="the first one dropped"),
        pytest.param(lambda made: made.iloc[[2]], id="the last one kept"),
        pytest.param(lambda made: made.iloc[::-1], id="in reverse"),
        pytest.param(lambda made: made.assign(shop=[["A", "B"]] * 4).explode("shop"), id="each one twice"),
    ],
)
@pytest.mark.parametrize(
    "first", [[True] * 4, [False, False, True, True]], ids=["all", "the last ones first"]
)
def test_equal_rows_keep_their_own_texts(change, first):
    """Whatever equal rows are kept, sorted or repeated, each has the text of its record, at no request."""
    table = pd.DataFrame({"product": ["a lamp", "a lamp", "a lamp", "a kettle"]})
    service = FaultyService("template_unlimited", images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.write(table, PROMPT, where=first)
        sent = len(service.requests)
        kept = change(made)
        kept = kept[kept["text"].notna()]
        again = client.documents.write(kept, PROMPT)
        assert of(again) == ["existing"] * len(kept)
        assert (of(again, "text"), of(again, "text_id")) == (of(kept, "text"), of(kept, "text_id"))
        assert len(service.requests) == sent
        # Rows without a record get those that were dropped, then new ones.
        more = pd.concat([kept, table[:2]], ignore_index=True)
        filled = client.documents.write(more, PROMPT, where=more["text"].isna())
    ids, dropped = of(filled, "text_id"), {*of(made[:3], "text_id")} - {*of(kept, "text_id"), None}
    assert ids[:-2] == of(kept, "text_id")
    assert len({*ids[-2:]} - {*ids[:-2]}) == 2
    assert service.generations == sum(first) + max(0, 2 - len(dropped))


@pytest.mark.integration
def test_a_cell_that_cannot_be_sent_is_refused(client):
    """Half of a surrogate pair in a used column, or in a row, is an error of ours before anything is sent."""
    halved = pd.DataFrame({"product": pd.Series(["a kettle", "a \ud800"], dtype=object)})
    with pytest.raises(
        ink.InvalidArgument, match=r"The column 'product' contains '\\ud800', which cannot be sent"
    ):
        client.documents.write(halved, PROMPT)
    with pytest.raises(ink.InvalidArgument, match=r"row 0: prompt contains '\\ud800'"):
        client.documents.create_many([{"name": "a kettle", "prompt": "a \ud800"}])
    assert client.created == 0


@pytest.mark.integration
@pytest.mark.parametrize("value", [1e-7, 2.5e-5, 0.1])
def test_a_decimal_is_filled_in_as_the_equal_number(value):
    """A row with a decimal has the text of the row with the number, and is not paid for again."""
    service = FaultyService("template_unlimited", images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        for dose in (value, Decimal(repr(value))):
            made = client.documents.write(pd.DataFrame({"dose": [dose]}), "A dose of {dose}")
    assert (of(made), service.generations) == (["existing"], 1)
