import re

import pytest
from tests.services import Faults

from inkframe import LookGrid
from inkframe.creating.plans import ALL
from inkframe.errors import InvalidArgument, PermissionDenied
from inkframe.vocabulary import Vocabulary

#: The first create does not reach the service.
LOST = Faults(script={1: "lost_request"}, where=lambda request: request.method == "POST")


def make(client, **more):
    looks = {"style": ["anime", "sketch"], "medium": ["ink", None], "resolution": "256x256", **more}
    return LookGrid(client, description="two boats", **looks)


def cells(grid):
    """Return the state, the words, the reason and the picture of each cell that a page gets, by its key."""
    look = r'class="ink-look ink-look-(\w+)( ink-starred)?" role="gridcell" data-key="(.*?)" aria-label="(.*?)"(?: title="(.*?)")?>'
    found = re.findall(
        rf"{look}(?:<div .*?data-picture=\"(.*?)\">)?", "".join(grid.pictures.first), re.DOTALL
    )
    return {key: (state, words, reason, picture) for state, _, key, words, reason, picture in found}


def states(grid):
    return {key: state for key, (state, *_) in cells(grid).items()}


def shown(grid):
    """Return the cells whose picture a page gets."""
    sent = []
    grid.pictures.send = lambda content, _buffers: sent.extend(content["keys"])
    wanted = {picture: key for key, (*_, picture) in cells(grid).items() if picture}
    grid.pictures._handle_custom_msg({"kind": "want", "keys": [*wanted]}, [])
    del grid.pictures.send
    return {wanted[key] for key in sent}


def headings(grid):
    """Return the styles of the columns, and the keys and the words of the lines."""
    words = [re.search(r'"rowheader" dir="auto">(.*?)<', each)[1] for each in grid.pictures.first]
    return re.findall(r'data-column="(.*?)"', grid.pictures.head), grid.pictures.ids, words


def test_the_grid_fills(client):
    """Every combination is created, shown in its cell, and a row of the frame."""
    grid = make(client)
    assert states(grid) == dict.fromkeys(("anime|ink|", "anime||", "sketch|ink|", "sketch||"), "empty")
    assert "Will create 4 images (local demo service)" in grid.cost.value
    frame = grid.submit().result(30)
    assert set(states(grid).values()) == {"done"}
    assert shown(grid) == set(states(grid))
    assert grid.record.id in set(frame["id"])
    assert frame["style"].value_counts().to_dict() == {"anime": 2, "sketch": 2} | {
        style: 0 for style in client.vocabulary.codes("style") if style not in ("anime", "sketch")
    }
    assert len(client.images.all()) == 4


def test_the_code_does_the_same(client, capsys):
    """Running the code finds the images that the grid made, and makes none."""
    grid = make(client, filter=["sepia", None], name="{style} {medium} {filter}")
    made = grid.submit().result(30)
    space = {"client": client}
    exec(grid.code, space)  # noqa: S102  # running the code is what is tested
    columns = ["name", "description", "resolution", "style", "medium", "filter"]
    assert space["runs"][columns].equals(made[columns])
    assert space["runs"]["id"].tolist() == made["id"].tolist()
    assert len(client.images.all()) == 8
    assert "creation" not in capsys.readouterr().out


def test_one_cell_is_made_alone(client, engine):
    """A press on an empty cell makes its picture and no other; the button then makes the rest."""
    grid = make(client)
    grid.create("sketch|ink|").result(30)
    assert [state for state in states(grid).values() if state == "done"] == ["done"]
    assert (engine.requests[0].style, engine.requests[0].medium) == ("sketch", "ink")
    assert grid.button.description == "Create 3 images"
    grid.submit().result(30)
    assert len(engine.requests) == 4


def test_a_full_cell_shows_its_picture_large(client, send, eventually):
    """A press on a full cell chooses it; it can be marked as a favorite."""
    grid = make(client)
    grid.submit().result(30)
    row = grid._shown["anime||"]
    send(grid.pictures, "press", key="anime||")
    eventually(lambda: "data:image/" in grid.large.value)
    assert grid.record is row.record
    assert grid.pictures.chosen == ["anime||"]
    grid.favorite.click()
    eventually(lambda: "favorite" in cells(grid)["anime||"][1])
    assert client.images.get(row.record.id).favorite


def test_a_picture_is_created_larger(client, send, eventually, engine):
    """The chosen picture is created once in the next larger resolution; the largest offers no further one."""
    grid = make(client)
    assert isinstance(grid.enlarge().exception(30), InvalidArgument)
    grid.submit().result(30)
    send(grid.pictures, "press", key="anime||")
    eventually(lambda: grid.larger.description == "Create at 512 \u00d7 512")
    larger = grid.enlarge().result(30)
    assert (larger.resolution, larger.style, larger.medium) == ("512x512", "anime", None)
    assert f"client.images.get({larger.id})" in grid.status.text
    assert grid.enlarge().result(30).id == larger.id
    assert len(engine.requests) == 5
    send(grid.pictures, "press", key="anime||")
    eventually(lambda: "ink-gone" not in grid.larger._dom_classes)
    grid = make(client, resolution="1024x1024")
    grid.submit().result(30)
    send(grid.pictures, "press", key="anime||")
    eventually(lambda: "data:image/" in grid.large.value)
    assert "ink-gone" in grid.larger._dom_classes
    assert isinstance(grid.enlarge().exception(30), InvalidArgument)


def test_other_choices_keep_what_was_made(client, engine):
    """Cells that leave the grid and come back are still full; another description has cells of its own."""
    grid = make(client)
    grid.submit().result(30)
    grid.fields["style"].value = ["anime"]
    grid.fields["style"].value = ["anime", "sketch"]
    assert set(states(grid).values()) == {"done"}
    grid.fields["description"].value = "three boats"
    assert set(states(grid).values()) == {"empty"}
    grid.fields["description"].value = "two boats"
    assert (grid.button.description, len(engine.requests)) == ("All created", 4)


def test_cancel_half_way_shows_what_was_made(client, engine):
    """After a cancel the pictures that were under way are there, the other cells are empty."""
    engine.gate.clear()
    grid = make(client)
    future = grid.submit()
    engine.begun.acquire(timeout=30)
    engine.begun.acquire(timeout=30)
    assert sorted(states(grid).values()) == ["empty", "empty", "working", "working"]
    grid.cancel()
    engine.gate.set()
    future.result(30)
    assert sorted(states(grid).values()) == ["done", "done", "empty", "empty"]
    assert len(client.images.all()) == 2


def test_a_cell_that_failed_can_be_tried_again(misbehaving):
    """A failure is shown in its cell with its reason, the others are created, and a press retries it."""
    fails = Faults(script={1: "forbidden"}, where=lambda request: request.method == "POST")
    client, service = misbehaving(faults=fails, images=0)
    grid = make(client)
    grid.submit().result(30)
    failed = [key for key, state in states(grid).items() if state == "failed"]
    assert len(failed) == 1
    assert cells(grid)[failed[0]][2]
    assert "1 of 4 failed" in grid.status.alert
    before = states(grid)
    for style in ([], ["anime", "sketch"]):
        grid.fields["style"].value = style
    assert states(grid) == before
    grid.create(failed[0]).result(30)
    assert set(states(grid).values()) == {"done"}
    assert service.generations == 4


def test_a_lost_answer_is_looked_for_at_once(misbehaving):
    """A create whose reply was lost is found again, as create_many finds it, and shown; nothing is created twice."""
    lost = Faults(script={1: "lost_reply"}, where=lambda request: request.method == "POST")
    client, service = misbehaving(faults=lost, images=2)
    grid = make(client)
    grid.submit().result(30)
    assert set(states(grid).values()) == {"done"}
    assert grid.error is None
    assert service.generations == 4


@pytest.mark.parametrize("way", ["look for it", "press the button again"])
def test_a_cell_that_may_have_been_made_is_not_made_again(misbehaving, way, send, eventually):
    """Where looking fails as well the cell says so; a press on it, or the button, looks again before it makes."""
    lost = Faults(script={2: "lost_reply", 3: "forbidden"})
    client, service = misbehaving(faults=lost, images=2)
    grid = make(client, style="anime", medium="ink")
    grid.submit().result(30)
    assert states(grid) == {"anime|ink|": "unknown"}
    if way == "look for it":
        send(grid.pictures, "press", key="anime|ink|")
        eventually(lambda: grid.button.description == "All created")
    else:
        assert grid.button.description == "Search for 1 image"
        grid.submit().result(30)
    assert states(grid) == {"anime|ink|": "done"}
    assert grid.button.description == "All created"
    assert service.generations == 1


def test_a_cell_that_is_not_found_is_created_again_on_request(misbehaving, send, eventually):
    """Where looking finds nothing the grid asks, and only the answer lets a press create the picture."""
    client, service = misbehaving(faults=LOST, images=0)
    grid = make(client, style="anime", medium="ink")
    grid.submit().result(30)
    assert states(grid) == {"anime|ink|": "unknown"}
    send(grid.pictures, "press", key="anime|ink|")
    eventually(lambda: grid.question.is_open)
    assert states(grid) == {"anime|ink|": "unknown"}
    grid.question.children[1].click()
    eventually(lambda: states(grid) == {"anime|ink|": "empty"})
    grid.create("anime|ink|").result(30)
    assert states(grid) == {"anime|ink|": "done"}
    assert service.generations == 1


def test_a_picture_that_cannot_be_fetched_ends_no_run(misbehaving):
    """An image without its picture is still created: its cell says why, and the others are created too."""
    hidden = Faults({"forbidden": 1.0}, where=lambda request: "/api/" not in request.target)
    client, service = misbehaving(faults=hidden, images=0)
    grid = make(client)
    frame = grid.submit().result(30)
    assert set(frame["status"]) == {"created"}
    assert set(states(grid).values()) == {"done"}
    assert all("403" in reason or "refuse" in reason for _, _, reason, _ in cells(grid).values())
    assert service.generations == 4


def test_a_picture_that_cannot_be_awaited_says_why(misbehaving):
    """Where the service refuses to show what it draws, the reason is shown, and the image stays."""
    fails = Faults({"forbidden": 1.0}, where=lambda request: request.method == "GET")
    client, service = misbehaving(background=20.0, images=0, faults=fails)
    grid = make(client, style="anime", medium="ink")
    frame = grid.submit().result(30)
    assert (frame["status"].tolist(), service.generations) == (["pending"], 1)
    assert isinstance(grid.error, PermissionDenied)
    assert frame["error"].tolist() == [str(grid.error)]
    assert grid.status.alert == f"1 of 1 failed. The first: {grid.error}"


def test_pictures_made_in_the_background_are_awaited(misbehaving):
    """Where a service draws after it has answered, the cells fill once the pictures are there."""
    client, service = misbehaving(background=20.0, images=0)
    grid = make(client)
    frame = grid.submit().result(30)
    assert set(frame["status"]) == {"created"}
    assert len(shown(grid)) == 4
    assert service.generations == 4


def test_a_picture_that_was_not_awaited_is_looked_for(misbehaving, send, eventually):
    """Where the waiting was cancelled a press on the cell looks again, and shows the picture once it is there."""
    client, service = misbehaving(background=1000.0, images=0)
    grid = make(client, style="anime", medium="ink")
    service.between_replies(lambda service: service.generations and grid.cancel())
    grid.submit().result(30)
    assert states(grid) == {"anime|ink|": "working"}
    send(grid.pictures, "press", key="anime|ink|")
    eventually(lambda: "not finished yet" in grid.status.text)
    service.clock.sleep(1000)
    send(grid.pictures, "press", key="anime|ink|")
    eventually(lambda: states(grid) == {"anime|ink|": "done"} and shown(grid) == {"anime|ink|"})
    assert service.generations == 1


def test_a_grid_without_choices_is_refused(client):
    """No style at all is no grid; a missing description is said at its field."""
    grid = make(client, style=[])
    with pytest.raises(InvalidArgument, match="Select at least one style"):
        grid.submit().result(30)
    assert "at least one style." in grid.status.alert
    with pytest.raises(InvalidArgument, match=r"^Description is required\.\nName is required\.$"):
        LookGrid(client, name="").submit().result(30)


def test_a_row_without_a_name_is_refused_in_place(client, engine):
    """A pattern that leaves a row without a name is refused at its field, and nothing is sent."""
    grid = make(client, style=[None], name="{style}")
    with pytest.raises(InvalidArgument, match="name is empty"):
        grid.submit().result(30)
    assert "name is empty" in grid.fields["name"].problem
    assert engine.requests == []


def test_a_service_without_a_look_has_a_grid_without_it(client):
    """Where a deployment has no mediums, the grid has one row and the plan none of them."""
    client.vocabulary = Vocabulary(mediums=[], filters=[])
    grid = LookGrid(client, description="two boats", style=ALL)
    columns, lines, words = headings(grid)
    assert (len(columns), lines, words) == (14, ["|"], ["No medium"])
    assert "vocabulary=client.vocabulary" in grid.code


def test_nothing_is_chosen_that_is_not_asked_for(client):
    """A new grid costs nothing: its button is off, and says what to choose."""
    grid = LookGrid(client, description="two boats")
    assert grid.button.disabled
    assert grid.blind_button.disabled
    assert grid.button.description == "Create 0 images"
    assert "Select at least one style and one medium." in grid.cost.value
    grid.fields["style"].value = ["anime"]
    assert "Select at least one medium." in grid.cost.value
    grid.fields["medium"].value = ["ink"]
    assert grid.button.description == "Create 1 image"


def test_the_order_that_was_given_is_kept(client):
    """Columns and rows have the order of the code."""
    grid = LookGrid(client, description="two boats", style=["sketch", "anime"], medium=["ink", "chalk", None])
    assert headings(grid) == (["sketch", "anime"], ["ink|", "chalk|", "|"], ["Ink", "Chalk", "No medium"])
    grid.fields["filter"].value = ["sepia"]
    assert headings(grid)[1:] == (
        ["ink|sepia", "chalk|sepia", "|sepia"],
        ["Ink · Sepia", "Chalk · Sepia", "No medium · Sepia"],
    )


def test_a_finished_run_says_what_comes_next(client):
    """After creating, the status says what a press on a picture does."""
    grid = make(client)
    grid.submit().result(30)
    assert (
        grid.status.text
        == "4 images created. Press a picture to see it large, mark it as a favorite or create it larger."
    )


def test_the_copy_of_a_grid_shows_what_was_made(misbehaving):
    """A run in which one picture failed leaves a copy of the other three."""
    fails = Faults(script={1: "forbidden"}, where=lambda request: request.method == "POST")
    client, _ = misbehaving(faults=fails, images=0)
    grid, kept = make(client), []
    grid.on_result = kept.append
    grid.submit().result(30)
    assert kept[-1]["text/html"].count("data:image/") == 3


def test_a_single_look_is_compared_by_style(client):
    """Where no look varies, what is rated blind is grouped by its style, else by what varies."""
    grid = make(client, style="anime", medium="ink")
    for mediums, by in ((["ink"], ["style"]), (["ink", "chalk"], ["medium"])):
        grid.fields["medium"].value = mediums
        grid.submit(blind=True).result(30)
        assert grid.blind.panel.by == by


def test_a_lost_cell_that_is_created_again_has_no_trace(misbehaving, send, eventually):
    """Once a person has decided, the row is as one that was never tried."""
    client, _ = misbehaving(faults=LOST, images=0)
    grid = make(client, style="anime", medium="ink")
    grid.submit().result(30)
    send(grid.pictures, "press", key="anime|ink|")
    eventually(lambda: grid.question.is_open)
    grid.question.children[1].click()
    eventually(lambda: states(grid) == {"anime|ink|": "empty"})
    frame = grid.submit().result(30)
    assert (frame["status"].tolist(), frame["error"].isna().tolist()) == (["created"], [True])
    assert (grid.status.alert, grid.error) == ("", None)
