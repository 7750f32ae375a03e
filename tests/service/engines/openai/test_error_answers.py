"""Error responses of the endpoint."""

import pytest

from inkframe.http.key import Key
from inkframe.service.engines import DrawRequest, Refused, Unavailable, WriteRequest
from inkframe.service.engines.openai.endpoint import read_refusal
from inkframe.service.engines.openai.pictures import temperature


def refusal(status, error, **headers):
    """Read an error response."""
    return read_refusal(status, headers, {"error": error}, "models.example.com", Key("sk-123456"))


@pytest.mark.parametrize(
    ("status", "error", "field"),
    [
        (400, {"code": "content_policy_violation", "message": "Not allowed by our safety system."}, None),
        (400, {"code": "moderation_blocked", "message": "m"}, None),
        (400, {"code": "context_length_exceeded", "param": "messages", "message": "m"}, None),
        (400, {"type": "exceed_context_size_error", "message": "m"}, None),
        (400, {"param": "prompt", "message": "Too long"}, None),
        (422, {"param": "messages[0].content", "message": "m"}, None),
        (400, {"param": "size", "message": "Invalid size"}, "resolution"),
        (413, "too large", None),
        (
            400,
            {"type": "BadRequestError", "param": None, "message": "The maximum context length is 4096"},
            None,
        ),
        (400, {"code": "contentFilter", "message": "m"}, None),
        (400, "Your request was rejected by the safety system", None),
    ],
)
def test_what_is_about_the_request(status, error, field):
    """A refusal has the model's own message and the invalid field."""
    found = refusal(status, error)
    assert isinstance(found, Refused)
    assert found.field == field
    words = error if isinstance(error, str) else error["message"]
    assert str(found) == f"The model refused: {words.rstrip('.')}."


def test_a_model_that_knows_one_temperature():
    """The error names the supported creativity."""
    found = refusal(400, {"param": "temperature", "message": "Only the default (1) value is supported."})
    assert isinstance(found, Refused)
    assert found.field == "creativity"
    assert "Only the default (1) value is supported. A creativity of 0.75 sets the default" in str(found)
    assert temperature(0.75) == 1


@pytest.mark.parametrize(
    ("status", "error", "answered"),
    [
        (400, {"message": "Unknown parameter: n", "param": "n"}, 503),
        (401, {"message": "Incorrect API key provided: sk-12***"}, 503),
        (403, {"message": "m"}, 503),
        (404, {"code": "model_not_found", "message": "m"}, 503),
        (408, None, 504),
        (429, {"message": "slow down"}, 429),
        (500, {"message": "m"}, 502),
        (503, {"message": "loading"}, 503),
        (504, None, 504),
        (200, {"message": "m", "code": 429}, 429),
        (200, {"message": "m"}, 502),
    ],
)
def test_errors_not_about_the_request(status, error, answered):
    """Other errors concern the endpoint or the settings, never the key of the service's client."""
    found = refusal(status, error)
    assert isinstance(found, Unavailable)
    assert found.status == answered
    assert "models.example.com" in str(found)
    assert "sk-12" not in str(found)


def test_a_rate_limit_says_when_to_retry():
    """The wait is as stated, ten seconds by default, and none for an exhausted quota."""
    assert refusal(429, {}, **{"retry-after": "7"}).retry_after == 7
    assert refusal(429, {}).retry_after == 10
    assert refusal(429, {"code": "insufficient_quota", "message": "m"}).retry_after is None
    assert refusal(503, {}, **{"retry-after": "3"}).retry_after == 3


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"message": "the reason"}},
        {"error": "the reason"},
        {"detail": "the reason"},
        {"detail": [{"loc": ["body"], "msg": "the reason"}]},
        {"object": "error", "message": "the\u202e reason\n"},
    ],
)
def test_the_message_is_found_in_each_known_shape(answer):
    """Endpoints use several shapes of errors; invisible characters are removed."""
    found = read_refusal(500, {}, answer, "host", Key(""))
    assert str(found) == "host returned status 500: the reason."


def test_the_message_is_short():
    """A long message is truncated."""
    assert len(str(refusal(500, {"message": "x" * 5000}))) < 400


@pytest.mark.parametrize("answer", [None, [], 7, {"error": 7}, {"error": {"message": 7}}, {"detail": []}])
def test_a_body_without_a_message(answer):
    """The message then has the status only."""
    assert "host returned status 500." in str(read_refusal(500, {}, answer, "host", Key("")))


def test_a_policy_of_the_model_reaches_the_caller(engine, server, refused_with):
    """Both kinds of request are declined in the same way."""
    policy = refused_with(400, "Your request was rejected.", code="content_policy_violation")
    server.faults = [policy, policy]
    with pytest.raises(Refused, match="was rejected"):
        engine.draw(DrawRequest("d", "256x256"))
    with pytest.raises(Refused, match="was rejected"):
        engine.write(WriteRequest("p"))
