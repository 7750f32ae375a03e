"""Test that everything written by hand has exactly the fields of the schema."""

import inspect
import re
from dataclasses import fields, replace
from typing import get_args

import pytest
from tests.cases import type_name
from tests.services import FaultyService
from tests.services.example_records import MAKERS as EXAMPLES
from tests.services.example_records import sample
from tests.services.interface_fields import COLLECTIONS as INTERFACE

import inkframe as ink
from inkframe.frames import Categories, FrameBuilder, columns_of
from inkframe.frames.build import COLUMN_TYPES
from inkframe.replies.values import READERS
from inkframe.resources.documents import Documents
from inkframe.resources.images import Images
from inkframe.schema import DOCUMENTS, PAGE_SIZES, RESOURCES, SORT_FIELDS, SORTS, FieldSpec, FieldType
from inkframe.service import Service
from inkframe.service.collections import MAKERS, TABLES
from inkframe.service.engines import DrawRequest
from inkframe.service.form_rules import RULES, field_rule
from inkframe.service.store import open_library
from inkframe.vocabulary import Vocabulary, names
from inkframe.vocabulary.arguments import NOT_GIVEN, check_create, check_update

SPECS = [pytest.param(spec, id=name) for name, spec in RESOURCES.items()]


def specs_with(pattern):
    """Return the resources that have an optional public name, such as a form."""
    named = {name: pattern.format(name=name, noun=spec.noun.capitalize()) for name, spec in RESOURCES.items()}
    return [pytest.param(spec, id=name) for name, spec in RESOURCES.items() if named[name] in ink.__all__]


#: The type in the annotation of a field of each type.
ANNOTATED = {
    "text": "str",
    "picture": "str",
    "label": "str",
    "choice": "str",
    "boolean": "bool",
    "number": "float",
    "integer": "int",
    "time": "datetime",
}
TYPES = get_args(FieldType)
#: The types whose values come from a list.
LISTED = {"choice", "label", "number"}
#: The types of the fields that a service sets.
GENERATED = {"time", "picture"}
#: The columns of documents with what an engine counted, which are not fields of the interface.
COUNTED = ["prompt_tokens", "completion_tokens"]
#: The type of a column in SQLite.
STORED = {"boolean": "INTEGER", "integer": "INTEGER", "number": "REAL"}


@pytest.fixture(scope="module")
def client():
    with ink.connect(library=":memory:") as made:
        yield made


def check(found, expected, where):
    """Compare two collections of names, and name the missing ones in the failure."""
    lacking = [name for name in expected if name not in found]
    assert not lacking, f"Add {', '.join(lacking)} to {where}."
    unknown = [name for name in found if name not in expected]
    assert not unknown, f"Add {', '.join(unknown)} to inkframe/schema.py, or drop it from {where}."


def parameters(function):
    found = dict(inspect.signature(function).parameters)
    for name in ("self", "id", "client"):
        found.pop(name, None)
    return found


def method(client, spec, name):
    collection = type(getattr(client, spec.name))
    return getattr(collection, name), f"{collection.__module__}.{collection.__name__}.{name}"


def check_documented(function, found, where):
    lacking = [
        name for name in found if not re.search(rf"^ +{name}: ", inspect.getdoc(function), re.MULTILINE)
    ]
    assert not lacking, f"Describe {', '.join(lacking)} in the docstring of {where}."


def check_annotated(annotation, field, where, *, completes=True):
    wanted = {ANNOTATED[field.type]}
    if field.type == "choice" and completes:
        wanted.add(field.name.capitalize())
    for word in wanted:
        assert re.search(rf"\b{word}\b", str(annotation)), f"Annotate {field.name} as {word} in {where}."


def literals(parameter):
    values = re.search(r"Literal\[(.*?)\]", str(parameter.annotation))
    return tuple(re.findall(r"\w+", values[1]))


def is_needed(field):
    return field.create == "required" and field.default is None


@pytest.mark.parametrize(
    ("found", "where"),
    [
        pytest.param(held, where, id=where)
        for where, held in {
            "MAKERS in inkframe/service/collections.py": MAKERS,
            "COLLECTIONS in tests/services/interface_fields.py": INTERFACE,
            "MAKERS in tests/services/example_records.py": EXAMPLES,
            "the annotations and __init__ of Client in inkframe/client.py": ink.Client.__annotations__,
        }.items()
    ],
)
def test_every_table_has_every_resource(found, where):
    """A resource is in each table that is written by hand."""
    check(found, RESOURCES, where)


@pytest.mark.parametrize("spec", SPECS)
def test_every_resource_is_whole(spec):
    """The class of a record is public, and its collection has the methods that depend on what is generated."""
    noun = spec.noun.capitalize()
    assert noun in ink.__all__, f"Add {noun} to _MODULES in inkframe/__init__.py, and to __init__.pyi."
    made = {each.spec: each for each in (Images, Documents)}[spec]
    where = f"{made.__module__}.{made.__name__}"
    lacking = [name for name in ("preview", "file_of") if name not in vars(made)]
    assert not lacking, f"Add {', '.join(lacking)} to {where}."


@pytest.mark.parametrize("spec", SPECS)
def test_every_field_is_complete(spec):
    """A choice has a vocabulary, a label has a field, and every name refers to a field."""
    for field in spec.fields:
        assert field.about.endswith(".")
        assert field.type not in LISTED or field.vocabulary, f"Name the vocabulary of {field.name}."
        assert (field.type == "label") == (field.label_of in spec.columns)
        assert field.create != "no" or field.default is None
    assert {"name", spec.source, *filter(None, [spec.file_field])} <= spec.columns.keys()
    assert spec.search_by[0] == "name"


@pytest.mark.parametrize(
    ("found", "types", "where"),
    [
        (COLUMN_TYPES, TYPES, "COLUMN_TYPES in inkframe/frames/build.py"),
        (READERS, [type for type in TYPES if type != "label"], "READERS in inkframe/replies/values.py"),
        (
            RULES,
            [type for type in TYPES if type not in LISTED | GENERATED],
            "RULES in inkframe/service/form_rules.py",
        ),
    ],
)
def test_every_type_of_field_has_a_rule(found, types, where):
    """A field of any type can be added: each table of types has it."""
    check(found, types, where)


@pytest.mark.parametrize("type", [type for type in TYPES if type not in LISTED | GENERATED])
def test_a_field_of_any_type_can_be_added(type, monkeypatch):
    """A new field is checked, sent, accepted by the embedded service, read from a reply, and a typed column."""
    field = FieldSpec("pages", type, "A new field.", create="optional", update=True, filter=True)
    spec = replace(DOCUMENTS, fields=(*DOCUMENTS.fields, field))
    monkeypatch.setitem(RESOURCES, "documents", spec)
    given = value(field)
    sent = check_create(spec, Vocabulary(), {"name": "a", "prompt": "b", "pages": given})["pages"]
    assert sent == check_update(field, given) == given
    rule = field_rule(field, Vocabulary())
    assert rule.read({"boolean": "1"}.get(type, str(sent))) == given
    columns_of.cache_clear()
    try:
        builder = FrameBuilder("documents", {"template": Categories()})
        shown = {name: [None, None] for name in spec.columns} | {"pages": [READERS[type](given), None]}
        builder.add([1, 2], shown, {})
        frame = builder.finish()
    finally:
        columns_of.cache_clear()
    assert frame["pages"].iloc[0] == given
    assert frame["pages"].isna().tolist() == [False, True]
    assert type_name(frame["pages"].dtype) == {"integer": "Int64", "boolean": "boolean"}.get(type, "str")


@pytest.mark.parametrize("call", ["create", "ensure"])
@pytest.mark.parametrize("spec", SPECS)
def test_create_takes_its_fields(client, spec, call):
    """Create has each field with its type and default, required as in the schema."""
    function, where = method(client, spec, call)
    found = parameters(function)
    check(found, spec.creates, where)
    for name, field in spec.creates.items():
        check_annotated(found[name].annotation, field, where)
        default = inspect.Parameter.empty if is_needed(field) else field.default
        assert found[name].default == default, f"Set the default of {name} to {default} in {where}."
    if call == "create":
        check_documented(function, found, where)


@pytest.mark.parametrize("spec", SPECS)
def test_update_takes_its_fields(client, spec):
    """Update has each field with its type, none of them required, and so has the update of a record."""
    record = getattr(ink, spec.noun.capitalize())
    function, where = method(client, spec, "update")
    for update, place in {
        function: where,
        record.update: f"{record.__module__}.{record.__name__}.update",
    }.items():
        found = parameters(update)
        check(found, spec.updates, place)
        for name, field in spec.updates.items():
            check_annotated(found[name].annotation, field, place)
            assert found[name].default is NOT_GIVEN, f"Set the default of {name} to NOT_GIVEN in {place}."
        check_documented(update, found, place)


@pytest.mark.integration
@pytest.mark.parametrize("spec", SPECS)
def test_the_update_of_a_record_sends_its_fields(client, spec):
    """Each field that the update of a record accepts is stored."""
    given = {name: value(field) for name, field in spec.creates.items()}
    record = getattr(client, spec.name).create(**given)
    for name, field in spec.updates.items():
        assert getattr(record.update(**{name: value(field)}), name) == value(field), name


@pytest.mark.parametrize("call", ["list", "all", "pages"])
@pytest.mark.parametrize("spec", SPECS)
def test_lists_take_every_filter(client, spec, call):
    """Lists have every filter, the search, the order and the paging."""
    function, where = method(client, spec, call)
    found = parameters(function)
    common = {
        "list": ("sort_by", "sort", "per_page", "page"),
        "all": ("sort_by", "sort", "limit", "details", "progress"),
        "pages": (),
    }
    filters = dict.fromkeys((*spec.query_names, *spec.filters))
    check(found, ("search", "search_by", *filters, "favorite", *common[call]), where)
    if call == "pages":
        return
    for name in spec.filters:
        check_annotated(found[name].annotation, spec.columns[name], where)
    allowed = {"search_by": spec.search_by, "sort_by": SORT_FIELDS, "sort": SORTS, "per_page": PAGE_SIZES}
    for name, values in allowed.items():
        if name in found:
            assert set(literals(found[name])) == set(map(str, values)), f"Annotate {name} in {where}."
    check_documented(function, found, where)


@pytest.mark.parametrize("spec", SPECS)
def test_a_record_has_every_field(spec):
    """A record has the id, the fields in the order of the frame's columns, and the extra fields."""
    kind = getattr(ink, spec.noun.capitalize())
    where = f"{kind.__module__}.{kind.__name__}"
    found = {field.name: field for field in fields(kind) if not field.name.startswith("_")}
    check(found, ("id", *spec.columns, "extra"), where)
    assert list(found) == ["id", *spec.columns, "extra"], f"Put the fields of {where} in order."
    for name, field in spec.columns.items():
        check_annotated(found[name].type, field, where, completes=False)
    check_documented(kind, found, where)
    record = kind(5)
    assert all(getattr(record, name) is None for name in spec.columns)
    assert record.extra == {}


@pytest.mark.parametrize("call", ["__init__", "replace", "extend"])
def test_the_vocabulary_has_every_list(call):
    """Each list of values is an argument and a property of the vocabulary."""
    where = f"inkframe.vocabulary.Vocabulary.{call}"
    lists = {field.vocabulary for spec in RESOURCES.values() for field in spec.fields} - {None}
    check(parameters(getattr(Vocabulary, call)), lists, where)
    for name in lists:
        assert {"code", "label"} <= set(getattr(Vocabulary(), name).columns)


@pytest.mark.parametrize("spec", SPECS)
def test_every_choice_has_a_type(spec):
    """Each choice has a type with its codes."""
    for name in spec.choices:
        assert hasattr(names, name.capitalize()), f"Add {name.capitalize()} to {names.__name__}."


@pytest.mark.parametrize("spec", SPECS)
def test_the_tables_have_every_field(spec):
    """A migrated library stores the fields of a record, and has indexes with the filters and the searched texts."""
    with open_library(":memory:").connection() as connection:
        rows = connection.execute(f"PRAGMA table_info({spec.name})").fetchall()
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
        indexed = {
            order: [row[2] for row in connection.execute(f"PRAGMA index_info({spec.name}_by_{order})")]
            for order in SORT_FIELDS
        }
        folded = [row[1] for row in connection.execute(f"PRAGMA table_info({spec.name}_folded)")]
    found = {
        name: (kind, bool(required)) for _, name, kind, required, *_ in rows if name not in {"id", *COUNTED}
    }
    stored = {name: field for name, field in spec.shown.items() if field.type != "picture"}
    check(found, stored, "service/store/migrations.sql, in a new step")
    for name, field in stored.items():
        assert found[name] == (STORED.get(field.type, "TEXT"), field.create != "optional"), name
    filters = [field.name for field in spec.fields if field.filter]
    for order, columns in indexed.items():
        check(columns, {*filters, "id", order}, f"the index {spec.name}_by_{order}, in a new step")
    check(
        folded,
        ["record_id", *(f"folded_{name}" for name in spec.search_by)],
        f"{spec.name}_folded, in a new step",
    )
    for trigger in ("folded_insert", "folded_update", "imports_delete"):
        assert f"{spec.name}_{trigger}" in names, f"Add the trigger {spec.name}_{trigger} in a new step."


@pytest.mark.parametrize("spec", SPECS)
def test_the_service_for_tests_has_every_field(spec):
    """The service for tests defines the same fields separately."""
    defined = INTERFACE[spec.name]
    where = f"{spec.name.upper()} in tests.services.interface_fields"
    check(defined.filters, spec.filters, f"the filters of {where}")
    check(defined.searched, spec.search_by, f"what is searched of {where}")
    required = [name for name, field in spec.creates.items() if is_needed(field)]
    check(defined.required, required, f"what is required of {where}")
    check(defined.optional, spec.creates.keys() - required, f"what is optional of {where}")
    check(defined.editable, spec.updates, f"what is editable of {where}")
    assert defined.singular == spec.noun
    (record,) = sample(spec.name, 1, 0, Vocabulary()).values()
    shown = [name for name, field in spec.shown.items() if field.type != "picture"]
    check(record, ["id", *shown], "tests.services.example_records")


@pytest.mark.parametrize("spec", SPECS)
def test_the_embedded_service_has_every_field(spec):
    """The embedded service reads the parameters and the forms, and shows the record."""
    with Service() as service:
        collection = service._collections[spec.name]
    where = "inkframe.service.collections"
    common = {"search", "search_by", "favorite", "sort_by", "sort", "per_page", "page"}
    check({rule.name for rule in collection.listing}, common.union(spec.filters), where)
    check({rule.name for rule in collection.creates}, spec.creates, where)
    assert [rule.name for rule in collection.creates if rule.required] == [
        name for name, field in spec.creates.items() if is_needed(field)
    ]
    check({rule.name for rule in collection.updates}, spec.updates, where)
    names = ["url" if field.type == "picture" else name for name, field in spec.shown.items()]
    counted = COUNTED if spec.name == "documents" else []
    assert list(TABLES[spec.name].columns) == ["id", *names, *counted]


@pytest.mark.parametrize("spec", SPECS)
def test_the_magics_have_every_option(spec):
    """A magic that creates has the settings, and one that lists has the filters."""
    from inkframe.notebook.magics import COMMANDS

    listed = (*spec.query_names, *(["search_by"] if len(spec.search_by) > 1 else []))
    for command, taken in {f"%%{spec.noun}": spec.settings, f"%{spec.name}": listed}.items():
        wanted = [f"--{name.replace('_', '-')}" for name in taken] if command in COMMANDS else []
        lacking = [option for option in wanted if option not in COMMANDS[command].choices]
        assert not lacking, f"Add {', '.join(lacking)} to {command}."


@pytest.mark.parametrize("spec", specs_with("plan_{name}"))
def test_plans_vary_every_setting(spec):
    """Plans vary every setting, apart from the source and the name."""
    plan = getattr(ink, f"plan_{spec.name}")
    lacking = [name for name in spec.creates if name not in parameters(plan)]
    assert not lacking, f"Add {', '.join(lacking)} to {plan.__module__}.{plan.__name__}."
    check_documented(plan, spec.creates, plan.__name__)
    given = {name: value(field) for name, field in spec.settings.items()}
    rows = plan("words", name="a", quiet=True, **{name: [each] for name, each in given.items()})
    unused = [name for name in given if rows[name].tolist() != [given[name]]]
    assert not unused, f"Vary {', '.join(unused)} in {plan.__module__}.{plan.__name__}."


def value(field):
    """Return a value for a field that is not its default."""
    if field.type == "choice":
        return Vocabulary().codes(field.name)[0]
    if field.type == "label":
        return Vocabulary().labels(field.name)[-1]
    return {"text": "words", "number": 0.25, "integer": 7, "boolean": True}[field.type]


@pytest.mark.parametrize("spec", specs_with("{noun}Form"))
def test_the_forms_have_every_control(client, spec):
    """A form accepts each field of create, and creates with it."""
    form = getattr(ink, f"{spec.noun.capitalize()}Form")
    where = f"{form.__module__}.{form.__name__}"
    lacking = [name for name in spec.creates if name not in parameters(form)]
    assert not lacking, f"Add {', '.join(lacking)} to the arguments of {where}."
    code = form(client, **{name: value(field) for name, field in spec.creates.items()}).code
    lacking = [name for name in spec.creates if f"{name}=" not in code]
    assert not lacking, f"Add a control for {', '.join(lacking)} to {where}."


@pytest.mark.integration
@pytest.mark.parametrize("spec", specs_with("{noun}Browser"))
def test_the_browsers_have_every_filter(client, spec):
    """A browser accepts each filter of the list, and lists by it."""
    browser = getattr(ink, f"{spec.noun.capitalize()}Browser")
    where = f"{browser.__module__}.{browser.__name__}"
    made = browser(client, **{name: value(spec.columns[name]) for name in spec.query_names})
    lacking = [name for name in spec.query_names if f"{name}=" not in made.code]
    assert not lacking, f"Add a control for {', '.join(lacking)} to {where}."


def test_the_engine_is_given_every_setting():
    """The engine gets all fields of an image but its name."""
    asked = [field.name for field in fields(DrawRequest)]
    check(
        asked,
        [name for name in RESOURCES["images"].creates if name != "name"],
        "inkframe.service.engines.DrawRequest",
    )


@pytest.mark.integration
@pytest.mark.parametrize("where", ["embedded", "for tests"])
@pytest.mark.parametrize("spec", SPECS)
def test_a_service_keeps_what_create_is_given(client, spec, where):
    """Each field comes back as it was sent, and optional ones as nothing where they were not."""
    service = FaultyService(images=0, documents=0)
    given = {name: value(field) for name, field in spec.creates.items()}
    with ink.Client(service.base_url, service.key, transport=service.transport) as tested:
        collection = getattr(client if where == "embedded" else tested, spec.name)
        record = collection.get(collection.create(**given).id)
        bare = collection.create(
            **{name: given[name] for name, field in spec.creates.items() if is_needed(field)}
        )
    assert {name: getattr(record, name) for name in given} == given
    open = {name: field.default for name, field in spec.creates.items() if not is_needed(field)}
    assert {name: getattr(bare, name) for name in open} == open
