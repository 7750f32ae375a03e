import threading

import pytest
from ipywidgets.widgets import widget as ipywidgets_widget
from tests.services import Faults

from inkframe import CreativityTuner, DocumentBrowser, DocumentForm, ImageBrowser, ImageForm, LookGrid, Studio
from inkframe.errors import InvalidArgument, OutcomeUnknown, PermissionDenied
from inkframe.widgets.panel import Panel, Status, sentence

PANELS = (ImageForm, DocumentForm, ImageBrowser, DocumentBrowser, CreativityTuner, LookGrid, Studio)


@pytest.mark.parametrize("kind", PANELS)
def test_unknown_keywords_are_refused(client, kind):
    """A misspelled field is refused with the nearest one that there is."""
    with pytest.raises(
        InvalidArgument, match=rf"{kind.__name__}\(\) got an unexpected keyword 'descriptoin'"
    ):
        kind(client, descriptoin="x")
    if kind is ImageForm:
        with pytest.raises(InvalidArgument, match="Did you mean 'description'"):
            kind(client, descriptoin="x")
    if kind in (DocumentForm, CreativityTuner):
        with pytest.raises(InvalidArgument, match="Did you mean 'prompt'"):
            kind(client, promt="x")


def test_no_widget_holds_the_key(library):
    """The state of every widget, and every trait and repr of a panel, is free of the key."""
    panels = [kind(library) for kind in PANELS]
    for panel in panels:
        if isinstance(panel, (ImageBrowser, DocumentBrowser)):
            panel.submit().result(30)
    key = library._embedded.key
    # ipywidgets 7 has them in the class.
    every = getattr(ipywidgets_widget, "_instances", None) or ipywidgets_widget.Widget.widgets
    for each in list(every.values()):
        assert key not in repr(each.get_state())
    for panel in panels:
        assert key not in repr([panel, panel.trait_values()])


def test_work_goes_on_in_a_thread(client, engine):
    """submit() returns at once, says that it is busy, and its future holds the record."""
    engine.gate.clear()
    form = ImageForm(client, name="Boats", description="two boats")
    future = form.submit()
    assert engine.begun.acquire(timeout=30)
    assert (form.busy, form.record, future.done()) == (True, None, False)
    engine.gate.set()
    assert future.result(30) is form.record
    assert (form.busy, form.error) == (False, None)


def test_a_press_waits_for_what_the_page_held_back(client, engine, send, settle):
    """A page sends a press at once, and a change only when the kernel is free: the change still counts."""
    engine.gate.clear()
    form = ImageForm(client, name="Boats", description="two boats", medium="acrylic")
    send(form.status, "shown")
    form.button.click()
    form.fields["medium"].value = "watercolor"
    for each in (form.status, form.code_box):
        send(each, "settled")
    assert not form.busy  # what was held back is sent when the change before it was handled
    send(form.status, "settled")  # what waits on the main thread may still come
    form.fields["medium"].value = "ink"
    assert not form.busy
    send(form.code_box, "settled")
    engine.gate.set()
    settle(form)
    assert form.record.medium == "ink"
    for each in (form.status, form.code_box):  # of another page that shows the same form
        send(each, "settled")
    assert len(client.images.all()) == 1


def test_a_second_press_creates_nothing_twice(client, engine, monkeypatch):
    """While a creation is under way the same future is given; a double click is one click."""
    monkeypatch.setattr("inkframe.widgets.panel.DOUBLE_CLICK", 1e9)
    engine.gate.clear()
    form = ImageForm(client, name="Boats", description="two boats")
    first = form.submit()
    form.button.click()
    assert form.submit() is first
    assert form.button.disabled
    engine.gate.set()
    first.result(30)
    form.button.click()
    assert not form.busy
    assert len(engine.requests) == len(client.images.list()) == 1


def test_an_error_of_the_service_is_shown_and_raised(misbehaving):
    """A failure is shown in the panel as a sentence, in its trait and in the future; nothing typed is lost."""
    client, _ = misbehaving(faults=Faults({"forbidden": 1.0}, where=lambda r: r.method == "POST"))
    form = ImageForm(client, name="Boats", description="two boats")
    with pytest.raises(PermissionDenied):
        form.submit().result(30)
    assert isinstance(form.error, PermissionDenied)
    assert form.status.alert == str(form.error)
    assert (form.busy, form.button.disabled) == (False, False)
    assert form.fields["description"].value == "two boats"


@pytest.mark.parametrize("name", ["_begin", "_aside"])
def test_what_nobody_expected_is_shown_too(client, name):
    """Even a mistake of our own ends up in the panel and in the future, also of what is done beside the main work."""
    panel = Panel(client, [])
    with pytest.raises(ZeroDivisionError):
        getattr(panel, name)(lambda: 1 / 0, *["Working"][: name == "_begin"]).result(30)
    assert isinstance(panel.error, ZeroDivisionError)
    assert "ZeroDivisionError" in panel.status.alert


def test_threads_of_panels_hold_nothing_up(client):
    """Work is done in daemon threads, so that no kernel waits for it when it ends."""
    seen = []
    Panel(client, [])._begin(lambda: seen.append(threading.current_thread().daemon), "Working").result(30)
    assert seen == [True]


#: Panels that create four records or more with one press.
BULK = {
    "grid": lambda client: LookGrid(
        client, name="Boats", description="two boats", style=["anime", "retro"], medium=["ink", "acrylic"]
    ),
    "tuner": lambda client: CreativityTuner(client, prompt="A kettle", repeats=1),
}


@pytest.mark.parametrize("name", BULK)
def test_the_cancel_button_stops_what_has_not_begun(client, engine, send, name):
    """A press on Cancel begins no more creations, keeps those under way, and a further run makes the rest."""
    engine.gate.clear()
    panel = BULK[name](client)
    future = panel.submit()
    assert engine.begun.acquire(timeout=30)
    assert (panel.status.cancels, panel.is_cancelled) == (True, False)
    send(panel.status, "cancel")
    assert (panel.is_cancelled, future.done()) == (True, False)
    assert "waiting for what is under way" in panel.status.hint
    engine.gate.set()
    frame = future.result(30)
    made, wanted = (frame["status"] == "created").sum(), len(frame)
    assert made == len(engine.requests) == panel.status.done < wanted
    assert f"{wanted - made} not created" in panel.status.text
    panel.submit().result(30)
    assert len(engine.requests) == wanted
    assert panel.status.done == panel.status.total == wanted - made


def test_the_cancel_button_of_a_form_ends_the_waiting(misbehaving, send):
    """Where a service draws in the background, Cancel ends the waiting; the next press waits again."""
    client, service = misbehaving(background=1e9, images=0)
    form = ImageForm(client, name="Boats", description="two boats")
    pressed = []

    def press(service):
        if form.status.cancels and not pressed:
            assert service.generations == 1
            send(form.status, "cancel")
            pressed.append(service.clock.now())

    service.between_replies(press)
    assert form.submit().result(30).picture_url is None
    assert form.is_cancelled
    (moment,) = pressed
    assert service.clock.now() - moment < 5
    form.fields["name"].value = "Three boats"
    began = service.clock.now()
    assert form.submit().result(30).id == 2
    assert service.clock.now() - began > 100


def test_cancel_in_the_studio_reaches_the_panel_that_is_shown(client, engine):
    """The studio's Cancel stops the run of the tab in front."""
    engine.gate.clear()
    studio = Studio(client)
    tuner = studio.show("Creativity")
    tuner.fields["prompt"].value = "A kettle"
    future = studio.submit()
    assert engine.begun.acquire(timeout=30)
    studio.cancel()
    engine.gate.set()
    assert {"created", "skipped"} == set(future.result(30)["status"])


def test_no_bars_beside_panels(library, monkeypatch, capsys):
    """What a panel fetches shows in its status, and never as a progress bar of its own."""
    monkeypatch.setenv("INKFRAME_PROGRESS", "1")
    DocumentBrowser(library).submit().result(30)
    Studio(library).show("Rate").submit().result(30)
    assert capsys.readouterr().err == ""


def test_whole_outputs_of_a_panel(client, monkeypatch):
    """What a panel displays in Jupyter and in marimo, to the letter; a result replaces what stands in its cell."""
    shown = []
    for module in ("widgets.panel", "display.view"):
        monkeypatch.setattr(f"inkframe.{module}.display", lambda bundle, **k: shown.append((bundle, k)))
    form = ImageForm(client, name="Harbor", description="a <harbor>")
    form._ipython_display_()
    note = "ImageForm needs a running kernel: run this cell again."
    view = {"version_major": 2, "version_minor": 0, "model_id": form.model_id}
    assert shown[0] == (
        {
            "text/plain": f"{note}\n{form.code}",
            "text/html": "",
            "application/vnd.jupyter.widget-view+json": view,
        },
        {"raw": True},
    )
    form._show({"text/html": "<b>Harbor</b>", "text/plain": "Harbor"})
    for (bundle, _), rest in zip(shown[1:], ("", "<b>Harbor</b>"), strict=True):
        assert bundle["text/html"].endswith(f'</style><p class="ink-needs-kernel">{note}</p>{rest}')
    assert (shown[2][1]["display_id"], shown[2][1]["update"]) == (shown[1][1]["display_id"], True)
    assert form.result.value == ""
    note = "ImageForm needs Jupyter widgets, which marimo does not run. The same in Python:"
    other = form._display_()
    assert repr(other) == f"{note}\n{form.code}"
    assert f"<p>{note}</p><pre>{form.code.replace('<', '&lt;').replace('>', '&gt;')}</pre>".replace(
        '"', ""
    ) in (other.html.replace('"', "").replace("&quot;", ""))
    assert repr(form) == "<ImageForm of local demo service>"


def test_the_sentences_of_errors():
    """An error of inkframe is its own text, without the remedy where the panel has a button for it."""
    lost = OutcomeUnknown("One.\nTwo.\nThree.")
    found = [sentence(each) for each in (lost, InvalidArgument("One.\nTwo.\nThree."), ValueError("no"))]
    assert found == ["One.\nTwo.", "One.\nTwo.\nThree.", "Unexpected error: ValueError: no"]


def test_steps_are_counted_until_cancel(client):
    """Each step counts once it is done; after a press on Cancel none begins."""
    panel, seen = Panel(client, []), []
    for each in panel.steps("abcd"):
        seen.append((each, panel.status.done))
        if each == "c":
            panel.cancel()
    assert (seen, panel.status.done) == ([("a", 0), ("b", 1), ("c", 2)], 3)


def test_the_second_half_of_a_double_click_does_nothing(client, monkeypatch):
    """A press within 0.6 seconds after the end counts only if the fields were changed since."""
    now, pressed = [100.0], []
    monkeypatch.setattr("inkframe.widgets.panel.time.monotonic", lambda: now[0])
    monkeypatch.setattr(Panel, "submit", lambda _: pressed.append(now[0]))
    panel = Panel(client, [])
    panel._begin(lambda: None, "Working").result(30)
    while panel.busy:
        pass
    for now[0] in (100.0, 100.6, 100.7):
        panel._clicked()
    panel.code = "changed"
    now[0] = 100.1
    panel._clicked()
    assert pressed == [100.7, 100.1]


def test_a_result_is_shown_below_or_in_the_cell(client):
    """Without a cell the result is shown below, and a folded copy goes to the panel around it."""
    panel, kept = Panel(client, []), []
    panel.on_result = kept.append
    panel._show({"text/html": "<p>made</p>", "text/plain": "made"})
    assert (panel.result.value, panel.result._dom_classes) == ("<p>made</p>", ())
    [copy] = kept
    assert copy["text/plain"] == "made"
    assert "<details" in copy["text/html"]
    assert "<p>made</p>" in copy["text/html"]


def test_messages_of_the_status_line(client, send):
    """Only a press that waits is answered; other messages change nothing."""
    panel, pressed = Panel(client, []), []
    panel._press = lambda: pressed.append(1)
    sent = []
    panel.status.send = panel.code_box.send = sent.append
    send(panel.code_box, "settled")
    send(panel.status, "other")
    panel._clicked()
    send(panel.status, "shown")
    panel._clicked()
    assert (pressed, sent, panel.is_cancelled) == ([1], [{"kind": "settle"}] * 2, False)
    for answer in (panel.code_box, panel.code_box, panel.status, panel.status):
        send(answer, "settled")
    assert (pressed, sent) == ([1], [{"kind": "settle"}] * 4)
    for answer in (panel.code_box, panel.status, panel.code_box):
        send(answer, "settled")
    send(panel.status, "cancel")
    assert (pressed, panel.is_cancelled) == ([1, 1], True)
    panel.bring_into_view(panel.result, "ink-x")
    assert (sent[4:], panel.result._dom_classes) == ([{"kind": "reveal", "where": ".ink-x"}], ())


def test_cancel_is_received_while_a_cell_runs(client, monkeypatch):
    """The status line, which has the button, gets its messages at once; the line of code gets them in their order."""
    monkeypatch.setattr("comm.base_comm.BaseComm._reply_subshell_for", None, raising=False)
    panel = Panel(client, [])
    routes = [each.comm._reply_subshell_for({}, "subshell") for each in (panel.status, panel.code_box)]
    assert routes == ["subshell", None]


def test_work_begins_at_no_step():
    """What is shown of the work before is replaced; a message stays."""
    status = Status(done=3, total=4, cancels=True, hint="Soon.", working="Drawing", text="One created.")
    status.begin("Writing", total=2)
    names = ("working", "done", "total", "cancels", "hint", "text", "alert")
    assert [getattr(status, name) for name in names] == ["Writing", 0, 2, False, "", "One created.", ""]
    status.begin("Drawing", cancels=True, hint="Sent.")
    assert [getattr(status, name) for name in names] == ["Drawing", 0, 0, True, "Sent.", "One created.", ""]
