import pandas as pd
import pytest

from inkframe.widgets.pager import Found, Pager


@pytest.fixture
def turned():
    """Return what the pager asked for."""
    return []


@pytest.fixture
def pager(turned):
    """Return a pager of pages of 25."""
    made = Pager(25, lambda: turned.append((made.page, made.per_page)))
    return made


def state(pager):
    """Return all that a pager shows."""
    return [
        pager.page, pager.number.max, pager._of.value, pager.previous.disabled, pager.next.disabled,
        pager.count.value.removeprefix('<span class="ink-hint" role="status">').removesuffix("</span>"),
    ]  # fmt: skip


def rows(count):
    """Return a frame of so many records."""
    return pd.DataFrame({"name": range(count)})


@pytest.mark.parametrize(
    ("found", "order", "shown"),
    [
        (Found(rows(25), 2060, 1, 83), "", [1, 83, "of 83", True, False, "1–25 of 2,060"]),
        (Found(rows(25), 1060, 2, 43), "Name", [2, 43, "of 43", False, False, "26–50 of 1,060 · Name"]),
        (Found(rows(10), 60, 3, 3), "", [3, 3, "of 3", False, True, "51–60 of 60"]),
        (Found(rows(0), 0, 1, 1), "", [1, 1, "of 1", True, True, "0 of 0"]),
        (Found(rows(25), None, 2, None), "", [2, 1_000_000, "", False, False, "26–50"]),
        (Found(rows(0), None, 3, None), "", [3, 1_000_000, "", False, True, "0"]),
        (Found(rows(25), 2000, 50, 1000), "", [50, 1000, "of 1,000", False, False, "1,226–1,250 of 2,000"]),
    ],
)
def test_what_is_shown_of_a_page(pager, turned, found, order, shown):
    """The number, the last page, which records are shown of how many, and which buttons can be pressed."""
    pager.show(found, order)
    assert state(pager) == shown
    assert turned == []


def test_pages_are_turned(pager, turned):
    """Buttons and the number ask for another page, another size asks for the first one."""
    pager.show(Found(rows(25), 60, 1, 3), "")
    pager.next.click()
    pager.next.click()
    pager.next.click()
    pager.previous.click()
    pager.number.value = 1
    pager.number.value = 3
    pager.size.value = 50
    pager.page = 7
    pager.size.value = None
    assert turned == [(2, 25), (3, 25), (2, 25), (1, 25), (3, 25), (1, 50), (1, None)]


def test_all_on_one_page():
    """Without pages, the numbers count from 1."""
    pager = Pager(None, lambda: None)
    assert (pager.per_page, pager.page) == (None, 1)
    pager.show(Found(rows(1234), 1234, 1, 1), "")
    assert state(pager) == [1, 1, "of 1", True, True, "1–1,234 of 1,234"]


def test_the_parts_of_a_pager(pager):
    """The controls in their order, with their words."""
    assert pager.children == (pager.previous, pager.number, pager._of, pager.next, pager.size)
    assert (pager.previous.description, pager.next.description) == ("← Previous", "Next →")
    assert pager.size.options == (
        ("10 per page", 10), ("25 per page", 25), ("50 per page", 50), ("100 per page", 100), ("All on one page", None),
    )  # fmt: skip
    page = pager.number
    assert (page.description, page.min, page.continuous_update, pager.size.description) == (
        "Page",
        1,
        False,
        "Show",
    )
    assert (pager._dom_classes, pager.size._dom_classes) == (("ink-row", "ink-pager"), ("ink-push",))
