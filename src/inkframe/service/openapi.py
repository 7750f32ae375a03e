"""The OpenAPI 3.1 description, built from the fields that requests are validated with."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from inkframe.service.collections import KEY, LONGEST_KEY, StoredCollection, shown_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inkframe.schema import FieldSpec, FieldType
    from inkframe.service.form_rules import FormRule

    Schema = dict[str, Any]

__all__ = ["describe"]

FORM = "application/x-www-form-urlencoded"
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}

#: The header by which another try of a create gets the same record.
KEY_HEADER: Schema = {
    "name": KEY,
    "in": "header",
    "required": False,
    "schema": TEXT | {"maxLength": LONGEST_KEY},
}

ID: Schema = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
#: The JSON Schema of a field in a record, by its type.
SHOWN: dict[FieldType, Schema] = {
    "text": TEXT,
    "choice": TEXT,
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "integer": NUMBER,
    "time": {"type": "string", "format": "date-time"},
    "picture": {"type": "string", "format": "uri-reference"},
}

PROBLEMS = {
    "400": "The request is malformed",
    "401": "The key is missing or wrong",
    "403": "The request comes from another site",
    "404": "There is no such record",
    "405": "The address does not take this method",
    "409": "The record of the Idempotency-Key was deleted, is being created, or was lost while it was created",
    "413": "The form is too large",
    "415": "The body is not a form",
    "422": "A value is missing or not allowed",
    "429": "Too many requests",
    "500": "The service failed",
    "502": "The model's endpoint failed",
    "503": "The library or the model is busy",
    "504": "The model took too long",
    "507": "The disk is full",
}
READ = ("400", "401", "403", "422", "429", "500")
READ_ONE = ("400", "401", "403", "404", "429", "500")
WRITE = ("400", "401", "403", "413", "415", "422", "429", "500", "503", "507")
CREATE = (*WRITE, "409", "502", "504")
CHANGE = ("404", *WRITE)
DELETE = ("400", "401", "403", "404", "429", "500", "503", "507")


def describe(collections: Iterable[StoredCollection]) -> Schema:
    """Return the whole description as a dictionary that can be written as JSON."""
    paths: Schema = {"/health": {"get": _health()}}
    messages = {"type": "object", "additionalProperties": {"type": "array", "items": TEXT}}
    maybe = _or_nothing(TEXT)
    schemas: Schema = {
        "Problem": _object({"message": TEXT, "errors": messages}),
        "Links": _object({"first": TEXT, "last": maybe, "prev": maybe, "next": maybe}),
        "Meta": _meta(),
    }
    problem = {"application/json": {"schema": _ref("Problem")}}
    for collection in collections:
        paths |= _paths(collection)
        fields = {name: _shown(field) for name, field in shown_fields(collection.spec).items()}
        schemas[collection.spec.noun.capitalize()] = _object({"id": NUMBER} | fields)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "inkframe",
            "version": version("inkframe"),
            "description": "Generated images and documents. Send the key with every request.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas,
            "responses": {
                status: {"description": text, "content": problem} for status, text in PROBLEMS.items()
            },
        },
    }


def _paths(collection: StoredCollection) -> Schema:
    name, noun = collection.spec.name, collection.spec.noun
    kind = noun.capitalize()
    one = _object({"data": _ref(kind)})
    page = _object(
        {"data": {"type": "array", "items": _ref(kind)}, "links": _ref("Links"), "meta": _ref("Meta")}
    )
    location = {"Location": {"schema": {"type": "string", "format": "uri-reference"}, "required": True}}
    a_record = f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
    update = _operation(f"update{kind}", f"Update {a_record}")
    update |= {"requestBody": _form(collection.updates), "responses": _replies("200", "Changed", one, CHANGE)}
    created = _replies("201", "Created", one, CREATE)
    created["201"]["headers"] = location
    parameters = [
        {"name": rule.name, "in": "query", "required": rule.required, "schema": _value(rule)}
        for rule in collection.listing
    ]
    picture = {"get": _picture(a_record), "parameters": [ID]}
    return {
        collection.path: {
            "get": _operation(f"list{name.capitalize()}", f"List {name}")
            | {"parameters": parameters}
            | {"responses": _replies("200", "A page", page, READ)},
            "post": _operation(f"create{kind}", f"Create one of the {name}")
            | {"parameters": [KEY_HEADER], "requestBody": _form(collection.creates), "responses": created},
        },
        f"{collection.path}/{{id}}": {
            "parameters": [ID],
            "get": _operation(f"get{kind}", f"Show one of the {name}")
            | {"responses": _replies("200", "The record", one, READ_ONE)},
            "put": update | {"operationId": f"replace{kind}"},
            "patch": update,
            "delete": _operation(f"delete{kind}", f"Delete one of the {name}")
            | {"responses": {"204": {"description": "Deleted"}} | _problems(DELETE)},
        },
        **({f"{collection.path}/{{id}}/picture": picture} if collection.spec.has_picture else {}),
    }


def _operation(identity: str, summary: str) -> Schema:
    return {"operationId": identity, "summary": summary}


def _replies(status: str, text: str, schema: Schema, problems: Iterable[str]) -> Schema:
    content = {"application/json": {"schema": schema}}
    return {status: {"description": text, "content": content}} | _problems(problems)


def _problems(statuses: Iterable[str]) -> Schema:
    return {status: {"$ref": f"#/components/responses/{status}"} for status in statuses}


def _form(rules: Iterable[FormRule]) -> Schema:
    rules = list(rules)
    schema: Schema = {"type": "object", "properties": {rule.name: _value(rule) for rule in rules}}
    if required := [rule.name for rule in rules if rule.required]:
        schema["required"] = required
    return {"required": True, "content": {FORM: {"schema": schema}}}


def _value(rule: FormRule) -> Schema:
    return dict(rule.schema) | ({} if rule.default is None else {"default": rule.default})


def _shown(field: FieldSpec) -> Schema:
    """Return the schema of a value; a field that create does not require may be null."""
    schema = SHOWN[field.type]
    return _or_nothing(schema) if field.create == "optional" else schema


def _or_nothing(schema: Schema) -> Schema:
    return schema | {"type": [schema["type"], "null"]}


def _picture(a_record: str) -> Schema:
    png = {"description": "The picture", "content": {"image/png": {"schema": {}}}}
    kept = {"description": "The picture is not modified"}
    return _operation("getPicture", f"Show the picture of {a_record}") | {
        "responses": {"200": png, "304": kept} | _problems(READ_ONE)
    }


def _health() -> Schema:
    replies = _replies(
        "200", "The service is up", _object({"status": TEXT, "library": TEXT}), ("400", "403", "429", "500")
    )
    return _operation("health", "Check that the service is up") | {"security": [], "responses": replies}


def _meta() -> Schema:
    whole = dict.fromkeys(("current_page", "per_page"), NUMBER)
    maybe = dict.fromkeys(("last_page", "total", "from", "to"), _or_nothing(NUMBER))
    meta = _object({**whole, **maybe})
    # Instead of the total of a search with many matches.
    meta["properties"]["total_at_least"] = NUMBER
    # The records of the whole collection by the values of a filter that was set by default.
    values = {"type": "array", "items": _object({"value": NUMBER, "count": NUMBER})}
    meta["properties"]["facets"] = {"type": "object", "additionalProperties": values}
    return meta


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
