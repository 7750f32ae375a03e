"""Formats of further famous services, written after the rule that reads them."""

from dataclasses import replace

from tests.services.dialects.platforms import platform
from tests.services.error_forms import ErrorForm
from tests.services.wire_dialect import Answer, Paging, RecordForm

GHOST = {
    "message": "$message",
    "context": None,
    "type": "ValidationError",
    "details": None,
    "help": None,
    "id": "f1",
}
SYS = {"type": "Entry", "id": "$id", "createdAt": "$made", "updatedAt": "$changed", "version": 3,
       "space": {"sys": {"type": "Link", "id": "s1"}}}  # fmt: skip
ART = {
    "author": {"userid": "u-1", "username": "ann", "usericon": "https://a.example.com/u.png"},
    "stats": {"comments": 3},
    "preview": {"src": "https://a.example.com/p.png", "width": 8, "height": 8},
    "thumbs": [{"src": "https://a.example.com/t1.png", "width": 2, "height": 2},
               {"src": "https://a.example.com/t2.png", "width": 4, "height": 4}],
}  # fmt: skip
NOW = {"sys_created_by": "ann", "sys_mod_count": "3",
       "opened_by": {"link": "https://n.example.com/api/now/table/sys_user/9", "value": "9"}}  # fmt: skip

FAMOUS = (
    platform("ghost", "Ghost: single records are lists of one",
            {"$collection": "$rows", "meta": {"pagination": {"page": "$number", "limit": "$size", "pages": "$pages",
                                                             "total": "$total", "next": "$next_number", "prev": None}}},
            Paging(size="limit"), RecordForm(id_form="hex", extra={"uuid": "u-1", "slug": "s", "tags": [], "authors": [{"id": "1", "name": "Ann"}]}),
            ErrorForm(name="ghost", body={"errors": [GHOST]}, invalid={"errors": [GHOST | {"property": "$first_field", "message": "Validation error", "context": "$first_text"}]}),
            {"$collection": ["$record"]}),
    replace(
        platform("sanity", "Sanity: lists and records under result, a create in a transaction",
                {"ms": 3, "query": "*", "result": "$rows"}, Paging(by="offset", parameter="offset", size="limit"),
                RecordForm(id_name="_id", id_form="uuid", created="_createdAt", updated="_updatedAt", extra={"_type": "$singular", "_rev": "r1"}),
                ErrorForm(name="sanity", body={"error": {"description": "$message", "type": "queryError"}},
                          invalid={"error": {"description": "The mutation failed", "type": "mutationError", "items": "$each"}},
                          each={"error": {"description": "$text", "path": ["$field"], "type": "validationError"}, "index": 0}, invalid_status=400),
                {"ms": 2, "query": "*[_id == $id]", "result": ["$record"]}),
        created=Answer(body={"transactionId": "tx-1", "results": [{"id": "$id", "operation": "create", "document": "$record"}]})),
    platform("airtable", "Airtable: the token offset is sent as offset", {"records": "$rows", "offset?": "$next_token"},
            Paging(by="cursor", parameter="offset", size="pageSize"),
            RecordForm(id_form="hex", id_inside=False, created="", updated="", wrap={"id": "$id", "createdTime": "$made", "fields": "$fields"}),
            ErrorForm(name="airtable", body={"error": {"type": "NOT_FOUND", "message": "$message"}},
                      invalid={"error": {"type": "INVALID_VALUE_FOR_COLUMN", "message": "$summary"}})),
    platform("firestore", "Firestore: a type around each value, the id in the name", {"documents": "$rows", "nextPageToken?": "$next_token"},
            Paging(by="cursor", parameter="pageToken", size="pageSize"),
            RecordForm(id_form="hex", id_inside=False, created="", updated="", value_form="typed",
                       wrap={"name": "$resource", "fields": "$fields", "createTime": "$made", "updateTime": "$changed"}),
            ErrorForm(name="firestore", body={"error": {"code": "$status", "message": "$message", "status": "$code"}},
                      invalid={"error": {"code": 400, "message": "$summary", "status": "INVALID_ARGUMENT", "details": [
                          {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": "$each"}]}},
                      each={"field": "$field", "description": "$text"}, invalid_status=400)),
    platform("deviantart", "DeviantArt: pictures of many sizes", {"has_more": "$has_more", "next_offset": "$next_start", "results": "$rows"},
            Paging(by="offset", parameter="offset", size="limit"),
            RecordForm(id_name="deviationid", id_form="uuid", picture="content.src", created="published_time", updated="", time_form="seconds", extra=ART),
            ErrorForm(name="deviantart", body={"status": "error", "error": "invalid_request", "error_description": "$message"},
                      invalid={"status": "error", "error": "invalid_request", "error_description": "Request field validation failed.", "error_details": "$flat"},
                      invalid_status=400)),
    replace(
        platform("bluesky", "AT Protocol: the id is the end of a uri", {"cursor?": "$next_cursor", "records": "$rows"},
                Paging(by="cursor", parameter="cursor", size="limit"),
                RecordForm(id_form="hex", id_inside=False, created="createdAt", updated="", wrap={"uri": "$at_uri", "cid": "bafy1", "value": "$fields"}),
                ErrorForm(name="bluesky", body={"error": "InvalidRequest", "message": "$message"}, invalid_status=400)),
        created=Answer(body={"uri": "$at_uri", "cid": "bafy1", "commit": {"cid": "bafy2", "rev": "3k"}, "validationStatus": "valid"})),
    platform("webflow", "Webflow: the fields under fieldData", {"items": "$rows", "pagination": {"limit": "$size", "offset": "$start", "total": "$total"}},
            Paging(by="offset", parameter="offset", size="limit"),
            RecordForm(id_form="hex", id_inside=False, created="", updated="",
                       wrap={"id": "$id", "cmsLocaleId": "65a", "lastPublished": None, "lastUpdated": "$changed", "createdOn": "$made",
                             "isArchived": False, "isDraft": False, "fieldData": "$fields"}),
            ErrorForm(name="webflow", body={"message": "$message", "code": "resource_not_found", "externalReference": None, "details": []},
                      invalid={"message": "Validation Error", "code": "validation_error", "externalReference": None, "details": "$each"},
                      each={"param": "$field", "description": "$text"}, invalid_status=400)),
    platform("contentful", "Contentful: a language around each value, the id under sys",
            {"sys": {"type": "Array"}, "total": "$total", "skip": "$start", "limit": "$size", "items": "$rows"},
            Paging(by="offset", parameter="skip", size="limit"),
            RecordForm(id_form="hex", id_inside=False, created="", updated="", value_form="localized", wrap={"sys": SYS, "fields": "$fields"}),
            ErrorForm(name="contentful", body={"sys": {"type": "Error", "id": "NotFound"}, "message": "$message", "requestId": "r-1"},
                      invalid={"sys": {"type": "Error", "id": "ValidationFailed"}, "message": "Validation error", "requestId": "r-1", "details": {"errors": "$each"}},
                      each={"name": "size", "path": ["fields", "$field", "en-US"], "details": "$text"})),
    platform("appwrite", "Appwrite: keys of the service begin with a dollar", {"total": "$total", "$collection": "$rows"},
            Paging(by="offset", parameter="offset", size="limit"),
            RecordForm(id_name="$id", id_form="hex", created="$createdAt", updated="$updatedAt", extra={"permissions": [], "databaseId": "d1"}),
            ErrorForm(name="appwrite", body={"message": "$message", "code": "$status", "type": "general_argument_invalid", "version": "1.5"}, invalid_status=400)),
    replace(platform("servicenow", "ServiceNow: everything under result, the id under sys_id", {"result": "$rows"},
            Paging(by="offset", parameter="sysparm_offset", size="sysparm_limit"),
            RecordForm(id_name="sys_id", id_form="hex", created="sys_created_on", updated="sys_updated_on", time_form="space", boolean_form="digits", extra=NOW),
            ErrorForm(name="servicenow", body={"error": {"message": "$message", "detail": "Record doesn't exist"}, "status": "failure"},
                      invalid={"error": {"message": "Operation Failed", "detail": "$summary"}, "status": "failure"}, invalid_status=403),
            {"result": "$record"}), listing_headers={"X-Total-Count": "$total", "Link": "$link_header"}),
)  # fmt: skip
