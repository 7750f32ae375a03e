"""What is read from one page, a second one and one record of each response format, recorded as text.

The recordings have the requests, every value of a record, and the line that pins what was learned; of every format
but the first, only the values that differ from it.
After an intended change, record again and review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/listing/test_first_pages.py
"""

import re
from dataclasses import fields

import numpy as np
import pytest
from tests.services import DIALECTS, ODDITIES, FaultyService

import inkframe as ink

pytestmark = pytest.mark.integration

FORMATS = DIALECTS | {name: each for name, each in ODDITIES.items() if name not in DIALECTS}
TEMPLATES = ink.Vocabulary().replace(templates=ink.Vocabulary().all_templates[:3])
LONGEST = 60
FIRST = "drf_page"
VALUE = re.compile("  [a-z_.]+: ")
PIN = re.compile(r"client\.\w+\.dialect = .*?\)$", re.DOTALL | re.MULTILINE)


def short(value):
    """Return a value in few characters."""
    if isinstance(value, np.generic):  # as numpy writes it from version 2
        plain = value.item()
        return f"np.{plain}_" if isinstance(plain, bool) else f"np.{type(value).__name__}({plain!r})"
    text = value.isoformat() if hasattr(value, "isoformat") else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… {len(text)}"


def told(error):
    """Return the first line of an error."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def reading(name, resource):
    """Return the lines of one collection of a service."""
    service = FaultyService(FORMATS[name], images=25, documents=25, vocabulary=TEMPLATES)
    lines = []
    with service.client(vocabulary=TEMPLATES, max_retries=0) as client:
        collection = getattr(client, resource)
        try:
            frame = collection.list(per_page=10)
            facts = frame.attrs["inkframe"]
            lines.append(
                f"ids {short(list(frame.index))} total {facts['total']} absent {facts['absent']} {facts['reasons']}"
            )
            lines += [f"  {column}: {short(frame[column].iloc[0])}" for column in frame.columns]
            lines.append(f"page 2: {short(list(collection.list(per_page=10, page=2).index))}")
            record = collection.get(frame.index[0])
            single = {each.name: getattr(record, each.name) for each in fields(record) if each.name[0] != "_"}
            listed = frame.iloc[0].to_dict()
            lines += [
                f"  {column}: {short(value)}"
                for column, value in single.items()
                if value and listed.get(column) != value
            ]
        except ink.InkframeError as error:
            lines.append(told(error))
        lines += [f"  {request.method} {request.target}" for request in service.requests]
        lines += [pin for pin in PIN.findall(str(client.describe())) if pin.startswith(f"client.{resource}")]
    return [" ".join(line.split()) if line.startswith("client") else line for line in lines]


@pytest.fixture(scope="module")
def values_of_first():
    """Return the values that are read from the first format."""
    return {
        resource: [line for line in reading(FIRST, resource) if VALUE.match(line)]
        for resource in ("images", "documents")
    }


@pytest.mark.parametrize("resource", ["images", "documents"])
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_page_is_read_as_recorded(recorded, values_of_first, name, resource):
    """Pages, records and what was learned of each format stay as they were."""
    lines = reading(name, resource)
    if name != FIRST:
        usual = values_of_first[resource]
        lines = [line for line in lines if line not in usual] + [
            f"without {line.strip()}" for line in usual if line not in lines
        ]
    recorded(f"{name}: {resource}", lines)
