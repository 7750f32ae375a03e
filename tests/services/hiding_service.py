"""A service whose lists lack some of what it made, and whose replies to a create may be errors although it happened."""

import json
from contextlib import contextmanager

from tests.services.exchange import Reply
from tests.services.faulty_service import FaultyService

#: Replies after a record was made: status, headers and body, with the id of the record for ``ID``.
ANSWERS = (
    (409, {}, {"error": "key in use"}),
    (409, {}, {"error": "exists", "id": "ID"}),
    (409, {"Location": "/api/v1/COLLECTION/ID"}, {}),
    (503, {"Retry-After": "1"}, {"error": "busy"}),
    (500, {"X-RateLimit-Remaining": "0"}, {"message": "try later"}),
    (499, {}, {}),
    (408, {}, {"error": "timeout"}),
    (425, {}, {"error": "too early"}),
    (502, {}, "bad gateway"),
    (303, {"Location": "/login"}, {}),
    (302, {"Location": "https://elsewhere.test/"}, {}),
    (200, {}, {"status": "failed", "error": "no model"}),
    (202, {}, {"job": "j-1"}),
    (204, {}, None),
)


class HidingService(FaultyService):
    """A service that hides what it made, with the arguments of ``FaultyService``.

    Attributes:
        hides: Returns whether lists lack a record, given how many were created before it.
        answers: Returns one of ``ANSWERS`` for a create that happened, or None for the service's own reply.
    """

    hides = staticmethod(lambda _place: False)
    answers = staticmethod(lambda: None)

    def _reply(self, request, fault):
        made = len(self.created)
        if request.method == "GET" and request.path.rstrip("/").endswith(("/documents", "/images")):
            with self._listed():
                return super()._reply(request, fault)
        reply = super()._reply(request, fault)
        answer = self.answers() if len(self.created) > made else None
        if answer is None:
            return reply
        status, headers, body = answer
        collection, number = self.created[-1]
        filled = json.dumps([headers, body]).replace("COLLECTION", collection)
        headers, body = json.loads(filled.replace("ID", str(self.public_id(number))))
        content = b"" if body is None else json.dumps(body).encode()
        return Reply(status, (("Content-Type", "application/json"), *headers.items()), content)

    @contextmanager
    def _listed(self):
        """Leave out during the block what lists lack."""
        kept = {"images": dict(self.images), "documents": dict(self.documents)}
        for place, (collection, number) in enumerate(self.created):
            if self.hides(place):
                getattr(self, collection).pop(number, None)
        try:
            yield
        finally:
            for collection, records in kept.items():
                getattr(self, collection).clear()
                getattr(self, collection).update(records)
