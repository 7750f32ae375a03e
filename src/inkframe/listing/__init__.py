"""Pages to whole lists: the operations on a collection, paging, full listings, and whether anything may be missing.

- A ``Page`` is one reply to a list; the ``Paginator`` says how the next one is requested, and which totals hold.
- A ``Listing`` requests the pages of one query in one order, in whatever style the service pages.
- A ``FullListing`` reads every page of a query, in both orders if it must, within a ``Budget`` of requests.
- A ``MultiQuery`` merges the full listings of several queries, such as one per template.
- A ``Log`` has what the passes of a listing saw; ``verdict`` is the one function that judges it.
"""
