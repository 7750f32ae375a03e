"""The division of a listing into parts, which together have every record once."""

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.services import DIALECTS, FaultyService

import inkframe
from inkframe.dask.partition import Part, divide
from inkframe.listing.operations import Calls
from inkframe.schema import RESOURCES

TEMPLATES = inkframe.Vocabulary().replace(templates=inkframe.Vocabulary().all_templates[:3])


@pytest.fixture
def calls(monkeypatch):
    """Return a function that serves records and returns the calls of one collection."""
    found = []
    # The calls that a client makes are taken where they are created, before anything is sent.
    begin = Calls.__init__

    def remember(self, *arguments, **options):
        begin(self, *arguments, **options)
        found.append(self)

    monkeypatch.setattr(Calls, "__init__", remember)
    clients = []

    def serve(dialect="laravel_resource", collection="images", **counts):
        service = FaultyService(dialect, vocabulary=TEMPLATES, **counts)
        clients.append(service.client(vocabulary=TEMPLATES))
        return service, next(each for each in found if each.spec == RESOURCES[collection])

    yield serve
    for client in clients:
        client.close()


def read(calls, partition):
    """Return the ids of each part."""
    return [[str(id) for page, _ in part.read(calls) for id in page.ids] for part in partition.parts]


@pytest.mark.integration
@pytest.mark.parametrize("count", [1, 99, 100, 101, 1_050])
def test_parts_have_every_record_once_and_in_their_range(calls, count):
    """Parts are ranges of ids without gaps; each has the records between its divisions."""
    service, images = calls(images=count)
    partition = divide(images, [{}], 200, 4)
    parts = read(images, partition)
    assert sorted(int(id) for ids in parts for id in ids) == sorted(service.images)
    assert len(partition.divisions) == len(parts) + 1
    for ids, (low, high) in zip(parts, pairwise(partition.divisions), strict=True):
        assert all(low <= int(id) <= high for id in ids)
    assert abs(len(parts) - max(count / 200, 1)) < 1.5


def test_an_empty_listing_is_one_empty_part(calls):
    """Without records there is one part, and no divisions."""
    _, images = calls(images=0)
    partition = divide(images, [{}], None, 4)
    assert (partition.parts, partition.divisions, partition.sample) == ((Part(),), None, [])


@pytest.mark.parametrize("count", [1, 25, 26, 90])
def test_parts_of_small_pages(calls, count):
    """A service with smaller pages than were requested is divided between its own pages."""
    service, images = calls("size_clamped", images=count)
    partition = divide(images, [{}], 30, 4)
    assert [id for ids in read(images, partition) for id in ids] == [str(id) for id in service.images]
    assert partition.divisions[0] == 1
    assert partition.divisions[-1] == count
    assert len(partition.parts) == -(-count // 25)
    assert sorted({id for page, _ in partition.sample for id in page.ids}) <= sorted(service.images)


def test_a_range_without_records_has_no_pages(calls):
    """Where most ids are missing at one end, parts have similar numbers of records all the same."""
    service, images = calls("size_clamped", images=120)
    for id in range(20, 60):
        del service.images[id]
    sizes = [len(ids) for ids in read(images, divide(images, [{}], 25, 4))]
    assert sum(sizes) == 80
    assert max(sizes) <= 50


def test_small_lists_are_divided_together(calls):
    """A part has its range of ids in every template, and a template without records is left out."""
    service, documents = calls("size_clamped", "documents", documents=70)
    (lost, *_) = templates = [template.id for template in TEMPLATES.all_templates]
    for id in [id for id, record in service.documents.items() if record["template_id"] == lost]:
        del service.documents[id]
    partition = divide(documents, [{"template_id": template} for template in templates], 20, 4)
    found = [int(id) for ids in read(documents, partition) for id in ids]
    assert sorted(found) == sorted(service.documents)
    assert len(found) == len(set(found))
    assert len(partition.parts) > 1


def test_lists_that_ignore_templates_are_one_list(calls):
    """A record under two templates shows that the service ignores them, and is read once."""
    dialect = replace(DIALECTS["laravel_resource"], ignores=("template_id",))
    service, documents = calls(dialect, "documents", documents=30)
    partition = divide(documents, [{"template_id": t.id} for t in TEMPLATES.all_templates], None, 4)
    found = [int(id) for ids in read(documents, partition) for id in ids]
    assert sorted(found) == sorted(service.documents)
    assert documents.dialect.filters_templates is False


@pytest.mark.parametrize("dialect", ["laravel_cursor", "stripe"])
def test_pages_without_positions_are_one_part(calls, dialect):
    """A list by cursors is one part, which is read from its first page to its last."""
    service, images = calls(dialect, images=101)
    partition = divide(images, [{}], 50, 4)
    assert partition.divisions is None
    assert len(partition.parts) == 1
    assert len({id for ids in read(images, partition) for id in ids}) == len(service.images) == 101
