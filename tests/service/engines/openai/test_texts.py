"""Texts from a model."""

import pytest

from inkframe.service.engines import Refused, Unavailable, WriteRequest
from inkframe.service.engines.openai.pictures import CUT_OFF, MANNER, read_text, temperature


def answer(content="text", **choice):
    """Return a response of the protocol."""
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message, "finish_reason": "stop", **choice}]}


def test_a_text_is_requested_and_returned(engine, server, key):
    """The request has the unchanged prompt, the model, the temperature, and the instruction for the model."""
    assert engine.write(WriteRequest("About a kettle ☕", creativity=0.75, take=7)) == "# Kettle\n\nIt boils."
    ((path, headers, body),) = server.requests
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {key}")
    assert body == {
        "model": "scribe",
        "messages": [{"role": "user", "content": f"About a kettle ☕\n\n{MANNER}"}],
        "temperature": 1.0,
        "stream": False,
        "max_tokens": 1000,
        "seed": 7,
    }


@pytest.mark.parametrize(
    ("creativity", "expected"),
    [(0, 0), (0.25, 0.3), (0.5, 0.7), (0.75, 1.0), (1, 1.3), (0.125, 0.15), (0.9, 1.18), (-1, 0), (2, 1.3)],
)
def test_creativity_is_a_temperature(creativity, expected):
    """The five steps have their own temperatures, and values between them are interpolated."""
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
def test_the_text_of_a_response(given, text):
    """Reasoning is removed, parts are joined, and a truncated text says so."""
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
    """A refusal and a withheld text raise Refused."""
    with pytest.raises(Refused):
        read_text(given)


@pytest.mark.parametrize(
    "given",
    [{}, {"choices": []}, {"choices": "no"}, {"choices": [None]}, answer(""), answer(None), answer(7)],
)
def test_a_response_without_a_text_is_an_error(given):
    """A response without a text raises Unavailable."""
    with pytest.raises(Unavailable, match="no text"):
        read_text(given)


@pytest.mark.parametrize("thought", ["<think>\nA kettle is", "<thinking>A kettle is"])
def test_a_model_that_only_reasoned(thought):
    """Truncated reasoning is not a text; the error names the setting of the limit that was reached."""
    with pytest.raises(Unavailable, match="length limit first: set INKFRAME_OPENAI_MAX_TOKENS"):
        read_text(answer(thought, finish_reason="length"))
