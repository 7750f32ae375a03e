import ipywidgets

from inkframe.widgets.panel import Question, button, mark, show, styled


def test_classes_are_added_and_removed():
    """A widget is styled, marked, hidden and shown by its classes."""
    box = styled(ipywidgets.Box(), "a", "b")
    mark(box, "on", on=True)
    show(box, shown=False)
    assert box._dom_classes == ("a", "b", "on", "ink-gone")
    mark(box, "on", on=False)
    show(box)
    assert box._dom_classes == ("a", "b")


def test_a_button_calls_what_it_is_for():
    """With its words and its classes."""
    pressed = []
    made = button("Press", lambda: pressed.append(1), "ink-go", "ink-small")
    assert (made.description, made._dom_classes) == ("Press", ("ink-go", "ink-small"))
    made.click()
    assert pressed == [1]


def test_a_question_closes_before_it_acts():
    """The answer runs once the question is hidden, so that it can ask another one; its buttons are closed."""
    question, seen = Question(), []
    assert (question.is_open, question._dom_classes) == (False, ("ink-row", "ink-question", "ink-gone"))
    question.ask("Delete <b>?", {"Yes": lambda: seen.append(question.is_open), "No": lambda: None})
    words, yes, no = question.children
    assert words.value == '<span role="alert">Delete &lt;b&gt;?</span>'
    assert [(each.description, each._dom_classes) for each in (yes, no)] == [
        ("Yes", ("ink-small",)),
        ("No", ("ink-small",)),
    ]
    assert (question.is_open, "ink-gone" in question._dom_classes) == (True, False)
    yes.click()
    assert seen == [False]
    assert (question.children, question._dom_classes) == ((), ("ink-row", "ink-question", "ink-gone"))
    assert yes.comm is None
    assert words.comm is not None
    question.ask("First?", {"A": print})
    question.ask("Second?", {"B": print})
    assert [each.description for each in question.children[1:]] == ["B"]
