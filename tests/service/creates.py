"""Creates with an ``Idempotency-Key`` in each collection."""

__all__ = ["FORMS", "create", "total"]

FORMS = {
    "images": {"name": "Harbor", "description": "a harbor at dawn", "resolution": "256x256"},
    "documents": {"name": "Kettle", "prompt": "about a kettle"},
}


def create(client, collection, key="one", **fields):
    """Send a create, and return its reply."""
    form, headers = FORMS[collection] | fields, {"Idempotency-Key": key}
    return client.post(f"/api/v1/{collection}", data=form, headers=headers)


def total(client, name):
    """Return the number of records of a collection."""
    return client.get(f"/api/v1/{name}").json()["meta"]["total"]
