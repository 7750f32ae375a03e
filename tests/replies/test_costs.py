"""Costs in replies, by the usual names."""

import pytest

from inkframe.http.body import Response
from inkframe.replies.reader import read_costs


@pytest.mark.parametrize(
    ("headers", "value", "costs"),
    [
        ({"x-credits-used": "3", "x-credits-remaining": "97"}, None, {"credits": 3, "credits_left": 97}),
        ({}, {"data": {"id": 1}, "usage": {"credits_used": 2}}, {"credits": 2}),
        ({"x-request-cost": "$0.04"}, None, {"price": 0.04}),
        ({}, {"id": 1, "cost": 0.5, "creditsLeft": "8"}, {"price": 0.5, "credits_left": 8}),
        ({"x-cost": "1"}, {"cost": 2}, {"price": 2}),
        ({"cost": "much", "price": "-1"}, {"cost": True, "price": None, "credits": 5, "name": "cost"}, {}),
        ({}, [[{"cost": float("inf")}]], {}),
        ({"x-cost": "9" * 400}, {"cost": 10**400, "credits_used": "9" * 5000}, {}),
        ({"x-cost": "$" + " " * 50_000 + "x"}, {"price": " " * 50_000 + "1 EUR"}, {"price": 1}),
    ],
)
def test_costs_are_found_by_name(headers, value, costs):
    """Numbers under a usual name count, in the body before the headers; anything else does not."""
    assert read_costs(Response(201, headers, b"", value)) == costs
