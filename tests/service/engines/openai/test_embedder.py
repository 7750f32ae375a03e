"""``ink.embedder``: a function from texts to vectors by any endpoint with embeddings."""

import numpy as np
import pandas as pd
import pytest

import inkframe as ink


def vectors(*numbers, order=None):
    """Return a reply with a vector for each number, in another order if one is given."""
    data = [
        {"object": "embedding", "index": at, "embedding": [number, 1]} for at, number in enumerate(numbers)
    ]
    return 200, {}, {"object": "list", "data": [data[at] for at in order or range(len(data))]}


def test_the_index_tells_the_order(server, settings, key):
    """The texts go in one request with the model and the key, and each has the vector of its index."""
    embed = ink.embedder("sage")
    server.faults = [vectors(5, 6, 7, order=[2, 0, 1])]
    found = embed(pd.Series(["a", "b", "c"]))
    assert (found.tolist(), found.dtype) == ([[5, 1], [6, 1], [7, 1]], np.float32)
    [(path, headers, body)] = server.requests
    assert (path, body) == ("/v1/embeddings", {"model": "sage", "input": ["a", "b", "c"]})
    assert headers["Authorization"] == f"Bearer {key}"
    assert key[:6] not in f"{embed!r} {vars(embed)}"


def test_equal_embedders_share_their_vectors(server, settings, monkeypatch):
    """A cell that is run again makes an equal one, which asks for new texts only; another model is another one."""
    settings(embedding_model="sage")
    frame = pd.DataFrame({"result": ["one", "two"]})
    server.faults = [vectors(1, 2), vectors(3)]
    ink.analysis.similar(frame, "three", vectors=ink.embedder())
    found = ink.analysis.similar(frame, "three", vectors=ink.embedder("sage", server.origin))
    assert found.index.tolist() == [1, 0]
    assert [body["input"] for _, _, body in server.requests] == [["one", "two"], ["three"]]
    assert ink.embedder() != ink.embedder("oracle")
    assert repr(ink.embedder()) == f"Embedder(model='sage', base_url='{server.origin}/v1')"


def test_the_key_goes_to_its_own_address_only(server, settings, monkeypatch):
    """An address that is passed gets the key if it is that of the settings, or the only one."""
    server.faults = [vectors(1), vectors(1)]
    ink.embedder("sage", f"{server.origin}/v1/")(["a"])
    settings(base_url="http://models.example.com")
    ink.embedder("sage", server.origin)(["a"])
    assert ["Authorization" in headers for _, headers, _ in server.requests] == [True, False]


def test_errors_are_ours(server, settings, refused_with, key):
    """What the endpoint says is passed on without the key, with the status; a reply without vectors says so."""
    embed = ink.embedder("sage", server.origin)
    server.faults = [
        refused_with(404, f"no model {key}"),
        refused_with(400, "too long", code="context_length_exceeded"),
        "break",
        (200, {}, {"data": [{"index": 0}]}),
        (200, {}, {"data": "none"}),
        (200, {}, {}),
    ]
    for status, said in ((503, "no such model"), (422, "too long"), (502, "broke")):
        with pytest.raises(ink.ServiceError, match=said) as caught:
            embed(["a"])
        assert (caught.value.status, key[:6] in str(caught.value)) == (status, False)
    for _ in range(2):
        with pytest.raises(ink.UnexpectedReply, match="Check that 'sage' is a model for embeddings"):
            embed(["a"])
    with pytest.raises(ink.ServiceError, match=r"Check the address http://127\.0\.0\.1:9/v1\."):
        ink.embedder("sage", "http://127.0.0.1:9/v1")(["a"])
    with pytest.raises(ink.InvalidArgument, match="for each of 1 texts, got an array of the shape"):
        ink.analysis.similar(pd.DataFrame({"result": ["a"]}), "a", vectors=embed)


def test_a_model_has_to_be_named(server, unset):
    """By the argument or by its setting; the address is then found on this machine."""
    with pytest.raises(ink.ConfigurationError, match="INKFRAME_OPENAI_EMBEDDING_MODEL"):
        ink.embedder()
    server.models = ["scribe"]
    assert ink.embedder("sage").base_url == f"{server.origin}/v1"
