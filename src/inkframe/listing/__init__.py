"""Pages to whole lists: the operations on a collection, paging, full listings, and the proof that nothing is missing.

- A ``Page`` is one reply to a list; the ``Paginator`` says how the next one is requested, and which totals hold.
- A ``Listing`` requests the pages of one query in one order, in whatever style the service pages.
- A ``FullListing`` reads every page of a query, in both orders if it must, within a ``Budget`` of requests.
- A ``MultiQuery`` merges the full listings of several queries, such as one per template.
- ``Completeness`` is what is known of the result; the ``Verdict`` lowers it by the ``Evidence`` of the pages.
"""
