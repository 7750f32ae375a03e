"""How the rows of a push are settled: what is sent, what is there already, and what others changed meanwhile."""

import httpx
import pytest

import inkframe as ink
from inkframe.editing.push import Cell, _settle


def outcomes(report):
    return report["outcome"].astype("str").tolist()


WAS = {"name": "Lamp", "result": "It glows.", "favorite": False}


def settled(new, now, was=WAS):
    """Return the outcome and the error of each edited cell, by its column, after its row was fetched again."""
    cells = [Cell(7, column, was[column], value) for column, value in new.items()]
    _settle(cells, was, None if now is None else was | now)
    return {cell.column: (cell.outcome, cell.error) for cell in cells}


PLANNED, ALREADY = ("planned", None), ("already", None)
DELETED = ("deleted", "the record was deleted from the service")


def conflict(fact):
    """Return the outcome and the error of a cell that others changed."""
    return "conflict", fact


@pytest.mark.parametrize(
    ("new", "now", "outcomes"),
    [
        # Nobody else changed the row, or only what says the same.
        ({"name": "Kettle"}, {}, [PLANNED]),
        ({"name": "Kettle", "favorite": True}, {}, [PLANNED, PLANNED]),
        ({"name": "Kettle"}, {"name": " Lamp\n", "result": "It glows.\r\n"}, [PLANNED]),
        # It was deleted.
        ({"name": "Kettle", "favorite": True}, None, [DELETED, DELETED]),
        # Others changed it to the same values.
        ({"name": "Kettle"}, {"name": "Kettle"}, [ALREADY]),
        ({"name": "Kettle "}, {"name": "Kettle"}, [ALREADY]),
        ({"favorite": True}, {"favorite": True}, [ALREADY]),
        ({"name": "Kettle", "favorite": True}, {"name": "Kettle"}, [ALREADY, PLANNED]),
        ({"name": "Kettle", "favorite": True}, {"favorite": True}, [PLANNED, ALREADY]),
        # Only the spaces are edited: what is there is the old value.
        ({"name": "Lamp "}, {}, [PLANNED]),
        ({"name": "Lamp "}, {"name": "Lamp "}, [ALREADY]),
        # Others changed the same cell, or another one of the row.
        ({"name": "Kettle"}, {"name": "Pot"}, [conflict("name is now 'Pot'")]),
        ({"result": "Kettle"}, {"result": ""}, [conflict("result is now ''")]),
        ({"result": "Kettle"}, {"result": None}, [conflict("result is now None")]),
        ({"name": "Kettle"}, {"favorite": True}, [PLANNED]),
        ({"favorite": True}, {"name": "Pot", "result": "x"}, [PLANNED]),
        # One cell has the new value already, and others changed another one.
        ({"name": "Kettle"}, {"name": "Kettle", "favorite": True}, [ALREADY]),
        ({"name": "Kettle", "favorite": True}, {"name": "Kettle", "result": "x"},
         [ALREADY, PLANNED]),
        ({"name": "Kettle", "favorite": True}, {"name": "Pot", "favorite": True},
         [conflict("name is now 'Pot'"), ALREADY]),
        # The new value of one field in another one is no agreement, and no conflict.
        ({"name": "It boils."}, {"result": "It boils."}, [PLANNED]),
        ({"name": "It boils."}, {"name": "Pot", "result": "It boils."}, [conflict("name is now 'Pot'")]),
    ],
)  # fmt: skip
def test_a_row_is_settled_by_what_is_there_now(new, now, outcomes):
    """A cell is sent where nobody else changed it, whatever else was, and never over a change of others."""
    assert list(settled(new, now).values()) == outcomes


@pytest.mark.parametrize(
    ("was", "new", "now", "outcome"),
    [
        (None, "", None, PLANNED),
        (None, "", "", ALREADY),
        ("", "It boils.", None, PLANNED),
        (None, "It boils.", "", PLANNED),
        (None, "It boils.", "It glows.", conflict("result is now 'It glows.'")),
        ("It glows.", "", None, ALREADY),
        ("It glows.", "", "", ALREADY),
    ],
)
def test_a_missing_text_and_an_empty_one_are_no_conflict(was, new, now, outcome):
    """Services show an empty text as missing, so that neither is a change of the other."""
    assert settled({"result": new}, {"result": now}, WAS | {"result": was}) == {"result": outcome}


def test_each_row_is_settled_by_its_own_record(pair):
    """Edits of several rows and columns are compared with the records of the same ids, whatever their order."""
    pair = pair()
    frame = pair.client.images.all()
    for number in (5, 2, 9, 7):
        frame.loc[number, ["name", "favorite"]] = [f"mine {number}", not frame.loc[number, "favorite"]]
        pair.service.images[number]["description"] = "of others, and not to be updated"
    pair.service.images[2]["name"] = "mine 2"
    pair.service.images[9]["favorite"] = not pair.service.images[9]["favorite"]
    pair.service.images[7]["name"] = "theirs"
    del pair.service.images[5]
    pair.sent()
    report = frame.ink.push()
    found = {id: rows["outcome"].astype("str").tolist() for id, rows in report.groupby("id", sort=False)}
    assert found == {
        9: ["changed", "already"],
        7: ["conflict", "changed"],
        5: ["deleted", "deleted"],
        2: ["already", "changed"],
    }
    assert {request.segments[-1]: [*request.form] for request in pair.written()} == {
        "9": ["name"],
        "7": ["favorite"],
        "2": ["favorite"],
    }


def shelf(reply):
    """Return a client of a service of two images whose updates are answered as given, and its images."""
    rows = {id: {"id": id, "name": f"n{id}", "description": "d", "favorite": False} for id in (1, 2)}

    def answer(request):
        part = request.url.path.rpartition("/")[2]
        if request.method == "PATCH":
            return reply(rows[int(part)], dict(httpx.QueryParams(request.content.decode())))
        found = rows[int(part)] if part.isdigit() else list(rows.values())
        return httpx.Response(200, json={"data": found, "total": 2, "current_page": 1, "last_page": 1})

    transport = httpx.MockTransport(answer)
    return ink.Client("https://service.test", "key", transport=transport, max_retries=0), rows


@pytest.mark.parametrize(
    "lost",
    [httpx.ReadError("reset"), httpx.ReadTimeout("slow"), None],
    ids=["reset", "slow", "of another record"],
)
def test_an_update_whose_reply_was_lost_is_unknown_until_the_next_push(lost):
    """It may have happened, which the error says how to find out."""

    def reply(row, sent):
        row.update(sent)
        if row["id"] == 2:
            return httpx.Response(200, json={"data": row})
        if lost is not None:
            raise lost
        return httpx.Response(200, json={"data": row | {"id": 9}})

    client, _ = shelf(reply)
    with client:
        frame = client.images.all()
        frame["name"] = ["b", "a"]
        report = client.images.push(frame).set_index("id")
        assert report["outcome"].astype("str").to_dict() == {2: "changed", 1: "unknown"}
        assert report.loc[1, "error"].endswith(" Push again to find out.")
        assert len(report.loc[1, "error"]) > len(" Push again to find out.")
        again = client.images.push(frame)
        assert again[["id", "outcome"]].astype("str").to_numpy().tolist() == [["1", "already"]]
        assert len(client.images.push(frame)) == 0


def test_the_baseline_is_what_the_service_has_after_a_push():
    """The same frame shows no edit again where its value is there, and one where another was stored instead."""

    def reply(row, sent):
        row["name"] = sent["name"][:4]
        return httpx.Response(200, json={"data": row})

    client, rows = shelf(reply)
    with client:
        frame = client.images.all()
        frame["name"] = ["Kettle", "Lamp"]
        rows[1]["name"] = "Lamp"
        assert outcomes(client.images.push(frame)) == ["changed", "already"]
        again = client.images.push(frame)
        assert again[["id", "old", "new"]].to_numpy().tolist() == [[2, "Kett", "Kettle"]]
        rows[1]["name"] = "theirs"
        frame["name"] = ["Kett", "Lamps"]
        report = client.images.push(frame)
        assert report[["id", "old", "error"]].to_numpy().tolist() == [[1, "Lamp", "name is now 'theirs'"]]


@pytest.mark.parametrize("shown", [{}, {"description": "d"}, {"name": None, "description": "d"}])
def test_a_reply_that_does_not_show_the_field_is_no_difference(shown):
    """An update counts as done where the reply has nothing, another field, or no value."""

    def reply(row, sent):
        row.update(sent)
        return httpx.Response(200, json={"data": {"id": row["id"]} | shown} if shown else {"updated": True})

    client, _ = shelf(reply)
    with client:
        frame = client.images.all()
        frame["name"] = ["b", "a"]
        report = client.images.push(frame)
        assert (outcomes(report), report["error"].isna().all()) == (["changed", "changed"], True)
        assert len(client.images.push(frame)) == 0
