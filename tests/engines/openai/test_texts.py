"""Texts from a model."""

from __future__ import annotations

import pytest

from inkframe.engines import Refused, Unavailable, WriteRequest
from inkframe.engines.openai.texts import CUT_OFF, MANNER, read_text, temperature


def answer(content="text", **choice):
    """Give an answer of the protocol."""
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message, "finish_reason": "stop", **choice}]}


def test_a_text_is_asked_for_and_given(engine, server, key):
    """The prompt is sent as it is, with the model, the temperature, and the wish for the text alone."""
    assert engine.write(WriteRequest("About a kettle ☕", creativity=0.75)) == "# Kettle\n\nIt boils."
    ((path, headers, body),) = server.requests
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {key}")
    assert body == {
        "model": "scribe",
        "messages": [{"role": "user", "content": f"About a kettle ☕\n\n{MANNER}"}],
        "temperature": 1.0,
        "stream": False,
    }


@pytest.mark.parametrize(
    ("creativity", "expected"),
    [(0, 0), (0.25, 0.3), (0.5, 0.7), (0.75, 1.0), (1, 1.3), (0.125, 0.15), (0.9, 1.18), (-1, 0), (2, 1.3)],
)
def test_creativity_is_a_temperature(creativity, expected):
    """The five steps have temperatures of their own, and what lies between lies between."""
    assert temperature(creativity) == expected


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (answer("  text\n"), "text"),
        (answer("<think>\nA kettle… boils.\n</think>\n\nIt boils."), "It boils."),
        (answer([{"type": "text", "text": "It "}, {"type": "text", "text": "boils."}]), "It boils."),
        (answer("It bo", finish_reason="length"), f"It bo\n\n{CUT_OFF}"),
        (answer("A kettle… boils.\n</think>\n\nIt boils."), "It boils."),
        (answer("A tag is written <b>, or <think>x</think>."), "A tag is written <b>, or <think>x</think>."),
        (
            answer([{"type": "thinking", "thinking": ["Hm."]}, {"type": "text", "text": "It boils."}]),
            "It boils.",
        ),
        (
            {"choices": [{"message": {"content": "It boils.", "refusal": None, "reasoning_content": "Hm."}}]},
            "It boils.",
        ),
    ],
)
def test_the_text_of_an_answer(given, text):
    """Thoughts are no text, parts are joined, and a text that is cut off says so."""
    assert read_text(given) == text


@pytest.mark.parametrize(
    "given",
    [
        answer("", finish_reason="content_filter"),
        {"choices": [{"message": {"content": None, "refusal": "I cannot help with that."}}]},
        answer([{"type": "refusal", "refusal": "I cannot help with that."}]),
    ],
)
def test_a_model_may_decline(given):
    """A refusal, or a text that is withheld, is a refusal."""
    with pytest.raises(Refused):
        read_text(given)


@pytest.mark.parametrize(
    "given",
    [{}, {"choices": []}, {"choices": "no"}, {"choices": [None]}, answer(""), answer(None), answer(7)],
)
def test_an_answer_without_a_text_is_an_error(given):
    """Nothing is stored as a document that is none."""
    with pytest.raises(Unavailable, match="no text"):
        read_text(given)


@pytest.mark.parametrize("thought", ["<think>\nA kettle is", "<thinking>A kettle is"])
def test_a_model_that_only_thought(thought):
    """Thoughts that were cut off are no text; the error says that the length was used up."""
    with pytest.raises(Unavailable, match="limit of length before it wrote"):
        read_text(answer(thought, finish_reason="length"))
