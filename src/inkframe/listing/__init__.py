"""Pages to whole lists: the operations on a collection, paging, full listings, and the proof that nothing is missing."""
