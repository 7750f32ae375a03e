"""The records of a list request, their order, and their pages."""

import base64
import json

from tests.services.error_forms import INVALID, Refusal

#: The list parameters of the interface that do not filter by a field.
COMMON = frozenset({"search", "search_by", "favorite", "sort_by", "sort", "per_page"})


def select(collection, records, asked, dialect, chance):
    """Return the matching records in order, their sort key, and whether the order is descending.

    The random generator is for the order of equal names, if the dialect has no stable order.
    """
    wanted = {name: asked[name] for name in collection.filters if name in asked}
    limited = dialect.usual_template is not None and "template_id" not in dialect.ignores
    if limited and "template_id" in collection.filters:
        wanted.setdefault("template_id", str(dialect.usual_template))
    found = list(records.values())
    for name, value in wanted.items():
        found = [record for record in found if str(record.get(name)) == value]
    if "favorite" in asked:
        favorite = _favorite(asked["favorite"], dialect)
        found = [record for record in found if record["favorite"] is favorite]
    if "search" in asked:
        field = asked.get("search_by", "name")
        field = field if field in collection.searched else "name"
        word = asked["search"].casefold()
        found = [record for record in found if word in str(record[field] or "").casefold()]
    order = _order(asked.get("sort_by", "id"), dialect, chance)
    descending = asked.get("sort", "desc") != "asc"
    return sorted(found, key=order, reverse=descending), order, descending


def is_understood(collection, paging, asked):
    """Return whether the service knows every parameter, or ignores the others; it may also refuse them."""
    known = {*COMMON, *collection.filters, paging.parameter, paging.size}
    strange = [name for name in asked if name not in known]
    if strange and paging.strangers == "refused":
        raise Refusal(INVALID, fields={strange[0]: ["Unknown parameter."]})
    return not strange or paging.strangers == "ignored"


def resumed(paging, asked):
    """Return the parameters that a page replaces, if its own is refused beside others."""
    token = asked.get(paging.parameter)
    if not paging.alone or token is None:
        return asked
    if len(asked) > 1:
        raise Refusal(INVALID, fields={paging.parameter: ["Not allowed beside other parameters."]})
    *key, query = read_cursor(token) or ({},)
    return {**query, paging.parameter: cursor(key)} if isinstance(query, dict) else {}


def without_page(paging, asked):
    """Return the parameters of a list that a token represents."""
    return {name: text for name, text in asked.items() if name != paging.parameter}


def _favorite(text, dialect):
    try:
        return dialect.forms.as_boolean(text)
    except ValueError as problem:
        raise Refusal(INVALID, fields={"favorite": [str(problem).format(field="favorite")]}) from None


def _order(sort_by, dialect, chance):
    if sort_by != "name":
        return lambda record: (record["id"],)
    if dialect.stable_names:
        return lambda record: (record["name"], record["id"])
    return lambda record: (record["name"], chance.random())


def page_size(paging, asked):
    """Return the page size; a dialect may refuse one."""
    text = asked.get(paging.size) or asked.get("per_page")
    if text is None:
        return paging.usual
    size = int(text) if text.isdecimal() and len(text) < 10 else 0  # larger than any page
    if paging.sizes and size not in paging.sizes:
        raise Refusal(INVALID, fields={"per_page": ["The selected per page is invalid."]})
    return min(size, paging.largest) or paging.usual


def begin(paging, asked, found, size, after):
    """Return the position of the first record of a page, among those found.

    The last argument returns the position after a cursor or an id, or None if it is invalid.
    """
    text = asked.get(paging.parameter)
    if paging.by == "nothing" or text is None:
        return 0
    start = after(text) if paging.by in {"cursor", "after"} else _position(paging, text, size)
    if start is None:
        return _unreadable(paging, text)
    deepest = len(found) if paging.deepest is None else min(paging.deepest, len(found))
    if start == 0 or (start < deepest and start // size not in paging.lost):
        return start
    if start < len(found) and paging.past_end in {"empty", "null"}:
        return len(found)
    last = max(deepest - 1, 0) // size * size
    match paging.past_end:
        case "not found":
            raise Refusal(paging.past_end_status, "Invalid page.")
        case "last page":
            return last
        case "first page":
            return 0
        case _:
            return start


def _position(paging, text, size):
    if not text.isdecimal() or len(text) > 12:  # far beyond any last page
        return None
    if paging.by == "offset":
        return int(text)
    index = int(text) - paging.first
    return index * size if index >= 0 else None


def _unreadable(paging, text):
    if paging.unreadable == "not found":
        raise Refusal(404, f"Invalid {paging.parameter}.")
    if paging.unreadable == "refused":
        message = "Input should be greater than or equal to 1" if text else "Input should be a valid integer"
        raise Refusal(INVALID, fields={paging.parameter: [message]})
    return 0


def cursor(key):
    """Return the position after a record as an opaque token."""
    return base64.urlsafe_b64encode(json.dumps(list(key)).encode()).decode().rstrip("=")


def read_cursor(token):
    """Return the key in a token, or None if the token is invalid."""
    try:
        return tuple(json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))))
    except (ValueError, TypeError):
        return None


def behind(key, found, order, *, descending):
    """Return the position of the first record after a key, or None if the keys cannot be compared."""
    wanted = tuple(key)
    try:
        for position, record in enumerate(found):
            own = order(record)
            if own < wanted if descending else own > wanted:
                return position
    except TypeError:
        return None
    return len(found)
