"""Public calls say what was meant if a keyword is misspelled or missing, and their signatures are unchanged."""

import inspect
import pickle
import traceback
import typing
from itertools import pairwise

import pandas as pd
import pytest
from tests.cases import cases

import inkframe as ink
from inkframe import analysis
from inkframe.dask import share_key
from inkframe.errors import WrongKeyword, checked, checked_calls, options_of
from inkframe.resources.documents import Documents
from inkframe.resources.images import Images

#: What is public, beside what hangs on it: the names of the package, and what they lead to.
ROOTS = {
    **{name: getattr(ink, name) for name in ink.__all__ if name not in {"__version__", "ALL", "analysis"}},
    **{f"analysis.{name}": getattr(analysis, name) for name in analysis.__all__},
    "client.images": Images,
    "client.documents": Documents,
    "frame.ink": pd.DataFrame.ink,
    "dask.share_key": share_key,
}
CLASSES = [each for each in ROOTS.values() if isinstance(each, type) and not issubclass(each, BaseException)]
FUNCTIONS = [each for each in ROOTS.values() if inspect.isfunction(each)]
METHODS = [
    (cls, name)
    for cls in CLASSES
    for name in sorted(
        {each for base in cls.__mro__ if base.__module__.startswith("inkframe.") for each in vars(base)}
    )
    if name[0] != "_" and inspect.isfunction(inspect.getattr_static(cls, name))
    if cls is not ink.Dialect  # people make one, and the readers of replies call its methods
]
CANARY = "zQx7Wv9KpLm3Rt5Yb8Nc2Hd"


@pytest.fixture(scope="module")
def client():
    """A client of a service in memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INKFRAME_PROGRESS", "0")
        with ink.connect(library=":memory:") as client:
            yield client


@pytest.fixture(scope="module")
def instance(client):
    """Return an instance of a public class, to call a method of."""
    examples = {
        ink.Client: client,
        Images: client.images,
        Documents: client.documents,
        ink.Image: ink.Image(1),
        ink.Document: ink.Document(1),
        ink.Template: ink.Template(1, "Haiku"),
        ink.Job: client.documents.submit_many([{"name": "n", "prompt": "p"}]),
    }

    def make(cls, method):
        if cls is pd.DataFrame.ink:
            return (client.documents if method == "read" else client.images).list().ink
        if cls not in examples:
            values = {"client": client, "frame": client.documents.list()}
            needed = [each.name for each in named(cls).values() if each.default is each.empty]
            examples[cls] = cls(*(values.get(name) for name in needed))
        return examples[cls]

    return make


def named(call):
    """The public parameters that are passed by name, by their names."""
    parameters = inspect.signature(call).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {each.name: each for each in parameters if each.kind in kinds and each.name[0] != "_"}


def misspelled(keyword):
    """A keyword with two letters swapped; None where it has no two that differ."""
    spellings = [
        keyword[:n] + b + a + keyword[n + 2 :] for n, (a, b) in enumerate(pairwise(keyword)) if a != b
    ]
    return spellings[len(spellings) // 2] if spellings else None


def check(call, client):
    """Call with a keyword that nothing takes, with each misspelled, and without each that is required."""
    known = named(call)
    values = {"client": client, "template": "FAQ"}
    needed = {name: values.get(name) for name, each in known.items() if each.default is each.empty}
    if all(each.kind is not each.VAR_KEYWORD for each in inspect.signature(call).parameters.values()):
        assert "unexpected keyword 'zzz'" in refusal(call, {"zzz": CANARY, **needed})
    for keyword in known:
        others = {name: value for name, value in needed.items() if name != keyword}
        # Another keyword of ``score`` is the name of a scorer.
        if call is not ink.score and (wrong := misspelled(keyword)):
            message = refusal(call, {wrong: CANARY, **others})
            assert repr(keyword) in message or f" {keyword}" in message.partition("It takes")[2]
        if keyword in needed:
            assert f"requires '{keyword}'" in refusal(call, others)


def refusal(call, arguments):
    with pytest.raises(WrongKeyword) as caught:
        call(**arguments)
    message = str(caught.value)
    assert isinstance(caught.value, ink.InvalidArgument)
    assert isinstance(caught.value, TypeError)
    assert len(message.splitlines()) <= 3
    assert CANARY not in message
    return message


def test_a_missing_argument_shows_the_whole_call(client):
    """Everything that is required stands in one call, positional or by keyword, and what is optional after it."""
    assert refusal(client.images.gallery, {}) == (
        "gallery() requires 'selected'.\n"
        "Pass gallery(selected). Optional: columns, size, caption, group_by, column, progress."
    )
    assert refusal(client.documents.delete_many, {"ids": [1]}) == (
        "delete_many() requires 'confirm'.\nPass delete_many(ids, confirm=…)."
    )


def test_the_calls_are_found():
    """The search for public calls finds those that everybody uses."""
    assert {ink.connect, ink.compare, ink.plan_images, analysis.keywords, share_key} <= {*FUNCTIONS}
    assert {ink.Client, ink.Dialect, ink.Studio, ink.Image} <= {*CLASSES}
    found = {(cls.__name__, name) for cls, name in METHODS}
    assert found >= {
        ("Images", "create_many"),
        ("Documents", "to_dask"),
        ("Accessor", "gallery"),
        ("DocumentForm", "fill"),
        ("ImageBrowser", "submit"),
        ("Vocabulary", "extend"),
    }


@cases("call", [*FUNCTIONS, *CLASSES])
def test_a_wrong_keyword_is_answered_with_the_right_one(call, client):
    """A misspelled or missing keyword of each function and constructor is an error that names it."""
    check(call, client)


@pytest.mark.integration
@cases(("cls", "name"), METHODS)
def test_a_wrong_keyword_of_a_method_is_answered_with_the_right_one(cls, name, instance, client):
    """So is one of each public method."""
    check(getattr(instance(cls, name), name), client)


@cases("call", [*FUNCTIONS, *(getattr(*each) for each in METHODS)])
def test_a_checked_call_looks_like_itself(call):
    """Name, module, words and signature are those in the source, with the options named."""
    original = inspect.unwrap(call)
    for each in ("__name__", "__qualname__", "__module__", "__doc__"):
        assert getattr(call, each) == getattr(original, each)
    code = original.__code__
    shown = inspect.signature(call).parameters
    assert [*shown][: code.co_argcount] == [*code.co_varnames[: code.co_argcount]]
    if hasattr(call, "__signature__"):
        assert code.co_flags & inspect.CO_VARKEYWORDS
        assert not any(each.kind is each.VAR_KEYWORD for each in shown.values())
        assert set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]) <= shown.keys()
    else:
        assert inspect.signature(call) == inspect.Signature.from_callable(original)


@cases("call", FUNCTIONS)
def test_a_checked_function_is_pickled_by_its_name(call):
    """Workers find the function itself; pickle refuses one that is not what its name leads to."""
    assert call.__name__.encode() in pickle.dumps(call)


def test_options_are_those_of_the_call_they_reach():
    """Signatures name what ``**options`` takes, and nothing private."""
    own = {"library", "sample", "engine", "model", "image_model", "key_env"}
    assert named(ink.connect).keys() == named(ink.Client).keys() | own
    accessor = pd.DataFrame.ink
    for ours, theirs in (
        (accessor.gallery, Images.gallery),
        (accessor.read, Documents.read),
        (accessor.push, Images.push),
    ):
        _, *options = list(inspect.signature(theirs).parameters.values())[1:]
        assert list(inspect.signature(ours).parameters.values())[1:] == options
    assert {"encoding", "sep", "neutralize"} <= named(accessor.to_csv).keys()
    assert named(ink.ImageBrowser).keys() == {"client", *named(Images.list)} - {"page", "self"}
    assert named(Images.ensure).keys() == named(Images.create).keys()
    assert "least" in named(analysis.plot_keywords)


class Shown(Exception):  # any error
    """What a call raises by itself."""


@checked_calls
class Calls:
    """Calls that raise what they are given."""

    def __init__(self, error=None, *, key=None):
        del key
        if error:
            raise error

    def plain(self, error, *, key=None):
        """Raise an error."""
        del key
        raise error

    @options_of(plain)
    def narrowed(self, error, **options):
        """Raise an error, with options."""
        del options
        raise error

    def nested(self, call):
        """Call something wrongly."""
        call(wrong=CANARY)


@pytest.mark.parametrize(
    "call",
    [Calls, Calls().plain, Calls().narrowed, checked(lambda error: Calls().plain(error))],
    ids=["constructor", "plain", "narrowed", "nested"],
)
@pytest.mark.parametrize("error", [TypeError("plain() got an unexpected keyword argument 'x'"), Shown()])
def test_an_error_inside_a_call_stays_as_it_is(call, error):
    """A TypeError that a call raises, or passes on, is no wrong keyword, whatever it says."""
    for _ in range(2):
        with pytest.raises(type(error)) as caught:
            call(error)
        assert caught.value is error
        assert error.__cause__ is None
        assert error.__context__ is None


def test_a_wrong_call_inside_a_call_is_not_ours():
    """A callback that is called wrongly raises what Python raises; a checked one names itself."""
    with pytest.raises(TypeError) as caught:
        Calls().nested(lambda: None)
    assert type(caught.value) is TypeError
    with pytest.raises(WrongKeyword, match=r"diff\(\) got an unexpected keyword 'wrong'"):
        Calls().nested(ink.diff)


@cases(
    "call",
    [
        lambda: ink.connect("https://content.example.com", kye=CANARY),
        lambda: ink.connect(kye=CANARY, api_key=CANARY),
        lambda: ink.connect("https://content.example.com", CANARY, CANARY),
        lambda: ink.connect(api_key=CANARY),
        lambda: ink.Client("https://content.example.com", CANARY, CANARY),
        lambda: ink.Client(CANARY, api_kye=CANARY),
        lambda: ink.Client(api_key=CANARY),
        lambda: ink.Client("https://content.example.com", CANARY, timeout="soon"),
        lambda: ink.Client("https://content.example.com", CANARY, api_key=CANARY),
    ],
)  # fmt: skip
def test_no_value_of_an_argument_is_shown(call):
    """Neither the message nor a verbose traceback shows what was passed, which may be a key."""
    with pytest.raises(ink.InkframeError) as caught:
        call()
    error = caught.value
    while error is not None:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        with_locals = traceback.TracebackException(type(error), error, trace, capture_locals=True)
        assert CANARY not in "".join(with_locals.format(chain=False))
        error = error.__cause__ or error.__context__


def test_a_call_with_too_many_arguments_says_so():
    """So does one that passes an argument twice."""
    with pytest.raises(
        WrongKeyword,
        match=r"takes 2 positional arguments, got 3\.\nPass them by keyword. It takes old, new, column\.",
    ):
        ink.diff(1, 2, 3)
    with pytest.raises(WrongKeyword, match="'old' twice"):
        ink.diff(1, old=2)


def test_a_key_is_never_taken_for_the_name_of_a_variable():
    """The name that comes first is the one that is meant."""
    assert "'api_key'" in refusal(ink.connect, {"key": CANARY})


def test_an_attribute_like_no_other_says_where_to_look(client):
    """Of an attribute that is like none, the error says how to see what there is."""
    with pytest.raises(AttributeError) as caught:
        client.images.zzz  # noqa: B018
    assert (
        str(caught.value) == "Images has no attribute 'zzz'.\nPress Tab after the dot to see what there is."
    )


PROPERTIES = [
    vars(base)[name].fget
    for cls in CLASSES
    for base in cls.__mro__
    if base.__module__.startswith("inkframe.")
    for name in vars(base)
    if name[0] != "_" and isinstance(vars(base)[name], property)
]


@cases("call", [*FUNCTIONS, *CLASSES, *dict.fromkeys(PROPERTIES), *(getattr(*each) for each in METHODS)])
def test_annotations_are_read_at_run_time(call):
    """``typing.get_type_hints`` and ``inspect.signature(…, eval_str=True)`` find each name in an annotation."""
    hints = typing.get_type_hints(call)
    assert not any(isinstance(hint, str | typing.ForwardRef) for hint in hints.values())
    shown = inspect.signature(call, eval_str=True).parameters.values()
    # Options of another call are shown as they are written there.
    if not any(hasattr(each, "__signature__") for each in (call, getattr(call, "__init__", None))):
        assert not any(isinstance(each.annotation, str) for each in shown)
