"""Formats of content platforms, cloud services and database gateways."""

from dataclasses import replace

from tests.services.error_forms import ERROR_FORMS
from tests.services.framework_forms import NODE
from tests.services.wire_dialect import NO_CONTENT, Answer, Links, Paging, RecordForm, WireDialect, wrapped


def platform(name, about, listing, paging, record, errors=ERROR_FORMS["laravel"], single="$record"):
    """Return a dialect whose single records are all wrapped in the same way."""
    options = {"paging": paging, "record": record, "forms": NODE, "errors": errors}
    return WireDialect(name, about, listing, **options, **wrapped(single))


def _wrapped(dialect, body, *, created=201):
    """Return a dialect whose single records have an envelope."""
    return replace(dialect, **wrapped(body, created))


CAMEL = RecordForm(created="createdAt", updated="updatedAt")
MONGO = replace(CAMEL, id_name="_id", id_form="hex")
LAST = {"hasNextPage": "$has_more", "endCursor": "$next_cursor"}
NODES = {"totalCount": "$total", "nodes": "$rows", "pageInfo": LAST}
FEATHERS = {"total": "$total", "limit": "$size", "skip": "$start", "data": "$rows"}
PAGINATE = {"docs": "$rows", "totalDocs": "$total", "limit": "$size", "totalPages": "$pages", "page": "$number",
            "pagingCounter": "$first_row", "hasNextPage": "$has_more", "nextPage": "$next_number"}  # fmt: skip
MICRONAUT = {"content": "$rows", "pageable": {"number": "$number", "size": "$size"}, "totalSize": "$total",
             "totalPages": "$pages", "pageNumber": "$number", "offset": "$start"}  # fmt: skip
HITS = {"total": {"value": "$total", "relation": "eq"}, "max_score": None, "hits": "$rows"}
NOCODB = {"totalRows": "$total", "page": "$number", "pageSize": "$size", "isLastPage": "$is_last"}
POCKETBASE = {"page": "$number", "perPage": "$size", "totalItems": "$total", "totalPages": "$pages",
              "items": "$rows"}  # fmt: skip
SCRIVENER = {"data": "$rows", "page_number": "$number", "page_size": "$size", "total_entries": "$total",
             "total_pages": "$pages"}  # fmt: skip
CAKE = {
    "page_count": "$pages",
    "current_page": "$number",
    "has_next_page": "$has_more",
    "count": "$total",
}
NOTION = {"object": "list", "results": "$rows", "next_cursor": "$next_token", "has_more": "$has_more"}
STRAPI = {"page": "$number", "pageSize": "$size", "pageCount": "$pages", "total": "$total"}
SEARCH = {
    "object": "search_result",
    "data": "$rows",
    "has_more": "$has_more",
    "next_page": "$next_token",
}
VIEW = {
    "@type": "PartialCollectionView",
    "first": "$first_url",
    "last": "$last_url",
    "next?": "$next_url",
}
DYNAMODB = {
    "Items": "$rows",
    "Count": "$count",
    "ScannedCount": "$count",
    "LastEvaluatedKey?": "$next_token",
}
SALESFORCE = {
    "totalSize": "$total",
    "done": "$is_last",
    "nextRecordsUrl?": "$next_url",
    "records": "$rows",
}
STATE = {"_index": "content", "_id": "$id", "_version": 1}

PLATFORMS = (
    _wrapped(
        platform("strapi", "Strapi 4: pagination[page]", {"data": "$rows", "meta": {"pagination": STRAPI}},
                  Paging(parameter="pagination[page]", size="pagination[pageSize]", usual=25),
                  replace(CAMEL, wrap={"id": "$id", "attributes": "$fields"}, id_inside=False)),
        {"data": "$record", "meta": {}}, created=200),
    _wrapped(
        platform("directus", "Directus without meta: nothing about further pages", {"data": "$rows"},
                  Paging(size="limit", usual=100),
                  RecordForm(id_form="uuid", created="date_created", updated="date_updated")),
        {"data": "$record"}, created=200),
    replace(
        platform("postgrest", "PostgREST: an open Content-Range, refuses unknown parameters, empty replies to writes",
                  "$rows", Paging(by="offset", size="limit", parameter="offset", usual=1000, largest=1000, strangers="refused"),
                  RecordForm(time_form="zone")),
        listing_headers={"Content-Range": "$open_range"},
        created=Answer(201, None, headers={"Location": "$filter_url"}),
        updated=NO_CONTENT),
    replace(
        platform("elasticsearch", "Elasticsearch: the outcome of a write under result", {"took": 3, "hits": HITS},
                  Paging(by="offset", parameter="from", size="size"),
                  RecordForm(id_form="hex", id_inside=False, wrap={"_index": "content", "_id": "$id", "_source": "$fields"})),
        created=Answer(201, {**STATE, "result": "created"}),
        updated=Answer(body={**STATE, "result": "updated"}),
        deleted=Answer(body={**STATE, "result": "deleted"})),
    _wrapped(
        platform("relay", "Relay connections: endCursor is sent as after", {"data": {"$collection": NODES}},
                  Paging(by="cursor", parameter="after", size="first"),
                  replace(CAMEL, id_form="uuid")),
        {"data": {"$singular": "$record"}}),
    platform("azure", "Azure Resource Manager: $skipToken in nextLink", {"value": "$rows", "nextLink?": "$next_url"},
              Paging(by="cursor", parameter="$skipToken", size="$top"),
              RecordForm(id_form="uuid", wrap={"id": "$id", "properties": "$fields"}, id_inside=False)),
    replace(
        platform("google", "Google APIs: nextPageToken is sent as pageToken",
                  {"$collection": "$rows", "nextPageToken?": "$next_token"},
                  Paging(by="cursor", parameter="pageToken", size="pageSize"),
                  RecordForm(id_form="text", created="createTime", updated="updateTime")),
        deleted=Answer(body={}), errors=ERROR_FORMS["google"]),
    platform("micronaut", "Micronaut Data: the first page is 0", MICRONAUT, Paging(first=0, size="size"),
              RecordForm(created="dateCreated", updated="dateUpdated", time_form="naive")),
    replace(
        _wrapped(
            platform("shopify", "Shopify: page_info in the Link header, not beside filters", {"$collection": "$rows"},
                      Paging(by="cursor", parameter="page_info", size="limit", usual=50, alone=True),
                      RecordForm(time_form="zone")),
            {"$singular": "$record"}),
        listing_headers={"Link": "$link_header"}, links=Links(keep_query=False), update_methods=("PUT",)),
    platform("stripe_search", "Stripe's search: the token next_page is sent as page", SEARCH,
              Paging(by="cursor", parameter="page", size="limit"),
              RecordForm(id_form="hex", created="created", updated="", time_form="seconds")),
    replace(
        platform("nocodb", "NocoDB: pageInfo; writes return only the id", {"list": "$rows", "pageInfo": NOCODB},
                  Paging(by="offset", parameter="offset", size="limit", usual=25),
                  RecordForm(id_name="Id", created="CreatedAt", updated="UpdatedAt", boolean_form="numbers")),
        created=Answer(body={"Id": "$id"}), updated=Answer(body={"Id": "$id"}), deleted=Answer(body={"Id": "$id"})),
    platform("notion", "Notion: next_cursor is sent as start_cursor", NOTION,
              Paging(by="cursor", parameter="start_cursor", size="page_size", usual=100),
              RecordForm(id_form="uuid", created="created_time", updated="last_edited_time")),
    replace(
        platform("jsonapi_cursor", "JSON:API of Rails: links only, without a total",
                  {"data": "$rows", "links": {"self": "$self_url", "next": "$next_url"}},
                  Paging(by="cursor", parameter="page[after]", size="page[size]"),
                  RecordForm(id_form="text", id_inside=False, created="created-at", updated="updated-at",
                             wrap={"id": "$id", "type": "$collection", "attributes": "$fields"})),
        content_type="application/vnd.api+json"),
    platform("phoenix", "Phoenix with Scrivener", SCRIVENER, Paging(size="page_size"),
              RecordForm(created="inserted_at", time_form="naive")),
    replace(
        platform("aspnet", "ASP.NET Core: a description of the page as JSON in X-Pagination", "$rows",
                  Paging(parameter="pageNumber", size="pageSize"), replace(CAMEL, id_form="uuid")),
        listing_headers={"X-Pagination": "$described"}),
    platform("cakephp", "CakePHP: a page past the end is 404", {"success": True, "data": "$rows", "pagination": CAKE},
              Paging(past_end="not found", size="limit"), RecordForm(created="created", updated="modified")),
    _wrapped(platform("payload", "Payload with mongoose-paginate", PAGINATE, Paging(size="limit"), MONGO),
             {"message": "Saved.", "doc": "$record"}),
    platform("feathers", "Feathers: $skip; takes other parameters for filters", FEATHERS,
              Paging(by="offset", parameter="$skip", size="$limit", strangers="filter"),
              replace(MONGO, time_form="milliseconds")),
    platform("zendesk", "Zendesk: next_page is an address",
              {"$collection": "$rows", "next_page": "$next_url", "previous_page": "$previous_url", "count": "$total"},
              Paging(usual=100), RecordForm()),
    platform("pocketbase", "PocketBase", POCKETBASE, Paging(size="perPage", usual=30),
              RecordForm(id_form="hex", created="created", updated="updated", time_form="space")),
    replace(
        platform("wordpress", "WordPress: title.rendered is the name; a page past the end is 400", "$rows",
                  Paging(past_end="not found", past_end_status=400),
                  RecordForm(omits=("name",), extra={"title": {"rendered": "$name"}}, created="date_gmt",
                             updated="modified_gmt", time_form="naive")),
        listing_headers={"X-WP-Total": "$total", "X-WP-TotalPages": "$pages", "Link": "$link_header"},
        deleted=Answer(body={"deleted": True, "previous": "$record"})),
    replace(
        platform("hydra", "API Platform: a view with links", {"totalItems": "$total", "member": "$rows", "view": VIEW},
                  Paging(size="itemsPerPage", usual=30), replace(CAMEL, time_form="zone", extra={"@type": "Item"})),
        links=Links(form="path"), update_methods=("PUT",)),
    platform("dynamodb", "DynamoDB: LastEvaluatedKey is sent as ExclusiveStartKey", DYNAMODB,
              Paging(by="cursor", parameter="ExclusiveStartKey", size="Limit"), CAMEL),
    replace(
        platform("salesforce", "Salesforce: nextRecordsUrl until done", SALESFORCE,
                  Paging(by="cursor", parameter="queryLocator", size="batchSize"),
                  RecordForm(id_name="Id", id_form="hex", created="CreatedDate", updated="LastModifiedDate")),
        links=Links(form="path")),
    platform("abp", "ABP: SkipCount, which no reply names", {"totalCount": "$total", "items": "$rows"},
              Paging(by="offset", parameter="SkipCount", size="MaxResultCount"),
              RecordForm(id_form="uuid", created="creationTime", updated="lastModificationTime", time_form="naive")),
    platform("couchdb", "CouchDB: shows an offset and takes skip",
              {"total_rows": "$total", "offset": "$start", "rows": "$rows"},
              Paging(by="offset", parameter="skip", size="limit"),
              replace(MONGO, wrap={"id": "$id", "key": "$id", "value": {"rev": "1-a"}, "doc": "$fields"})),
    platform("google_names", "Google APIs: the id is the end of the resource name",
              {"$collection": "$rows", "nextPageToken?": "$next_token"},
              Paging(by="cursor", parameter="pageToken", size="pageSize"),
              RecordForm(id_form="text", id_inside=False, omits=("name",), created="createTime", updated="updateTime",
                         extra={"name": "$url", "displayName": "$name"})),
    _wrapped(
        platform("strapi5", "Strapi 5: records are addressed by documentId", {"data": "$rows", "meta": {"pagination": STRAPI}},
                  Paging(parameter="pagination[page]", size="pagination[pageSize]", usual=25),
                  replace(CAMEL, id_name="documentId", id_form="hex", extra={"id": "$serial", "publishedAt": None})),
        {"data": "$record", "meta": {}}),
    replace(
        platform("postgrest_minimal", "PostgREST without Location: creates are answered by an empty reply", "$rows",
                  Paging(by="offset", size="limit", parameter="offset", usual=1000, largest=1000, strangers="refused"),
                  RecordForm(time_form="zone")),
        listing_headers={"Content-Range": "$open_range"},
        created=Answer(201, None), updated=NO_CONTENT),
    platform("loopback", "LoopBack: filter[skip], which has to be pinned", "$rows",
              Paging(by="offset", parameter="filter[skip]", size="filter[limit]", usual=100), CAMEL),
    platform("jira", "Jira: startAt names the parameter",
              {"startAt": "$start", "maxResults": "$size", "total": "$total", "isLast": "$is_last", "values": "$rows"},
              Paging(by="offset", parameter="startAt", size="maxResults", usual=50),
              RecordForm(id_form="text", created="created", updated="updated", time_form="zone")),
    platform("hubspot", "HubSpot: an object with a token and a link leads to the next page",
              {"results": "$rows", "paging?": {"next": {"after": "$next_cursor", "link": "$next_url"}}},
              Paging(by="cursor", parameter="after", size="limit"),
              replace(CAMEL, id_form="text", id_inside=False, wrap={"id": "$id", "properties": "$fields", "archived": False})),
)  # fmt: skip
