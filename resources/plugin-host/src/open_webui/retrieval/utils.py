"""Finding passages in what the person may read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from open_webui._gateway.application_state import embed
from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.missing import missing_name

Result = dict[str, list[list[Any]]]
_NOTHING: Result = {"ids": [[]], "distances": [[]], "documents": [[]], "metadatas": [[]]}


def merge_and_sort_query_results(query_results: list[Result], k: int) -> Result:
    """The best of several results, each passage once; higher scores are better."""
    rows: dict[str, tuple[float, Any, Any]] = {}
    for result in query_results:
        lists = (result.get(key) or [[]] for key in ("distances", "documents", "metadatas"))
        for row in zip(*(found[0] for found in lists), strict=False):
            if row[1] not in rows or row[0] > rows[row[1]][0]:
                rows[row[1]] = row
    best = sorted(rows.values(), key=lambda row: row[0], reverse=True)[:k]
    return {"distances": [[row[0] for row in best]], "documents": [[row[1] for row in best]], "metadatas": [[row[2] for row in best]]}


def _query(names: list[str], queries: list[str], k: int | None, hybrid: bool | None = None) -> Steps[Result]:
    results = []
    for query in queries:
        body = {"collection_names": list(names), "query": query, "k": k, "hybrid": hybrid}
        given = {key: value for key, value in body.items() if value is not None}
        results.append((yield endpoint("retrieval.queryCollections", body=given, absent=_NOTHING)) if names and query else _NOTHING)
    return merge_and_sort_query_results(results, k or 1000)


def _count(given: Any) -> int | None:
    return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else None


@either
def query_collection(*args: Any, **named: Any) -> Steps[Result]:
    """`([request,] collection_names, queries, embedding_function, k)`"""
    lists = [value for value in args if isinstance(value, list)]
    names = named.get("collection_names", lists[0] if lists else [])
    queries = named.get("queries", lists[1] if len(lists) > 1 else [])
    k = named.get("k", next((value for value in args if _count(value)), None))
    return (yield from _query(names, queries, _count(k)))


@either
def query_collection_with_hybrid_search(*args: Any, **named: Any) -> Steps[Result]:
    lists = [value for value in args if isinstance(value, list)]
    names = named.get("collection_names", lists[0] if lists else [])
    queries = named.get("queries", lists[1] if len(lists) > 1 else [])
    k = named.get("k", next((value for value in args if _count(value)), None))
    return (yield from _query(names, queries, _count(k), True))


@either
def query_doc_with_hybrid_search(*args: Any, **named: Any) -> Steps[Result]:
    """`(collection_name, …, query, …)` by name, or the first two texts."""
    texts = [value for value in args if isinstance(value, str)]
    name = named.get("collection_name", texts[0] if texts else "")
    query = named.get("query", texts[1] if len(texts) > 1 else "")
    return (yield from _query([name], [query], _count(named.get("k")), True))


def get_embedding_function(*args: Any, **named: Any) -> Any:
    """The gateway's engine, whatever is asked for."""
    return embed


@either
def generate_embeddings(engine: str, model: str, text: str | list[str], prefix: str | None = None, *rest: Any, **named: Any) -> Steps[Any]:
    texts = [text] if isinstance(text, str) else list(text)
    vectors = yield Ask("embed", {"texts": [f"{prefix or ''}{item}" for item in texts]})
    return vectors[0] if isinstance(text, str) else vectors


def _names(item: dict[str, Any]) -> list[str]:
    if names := item.get("collection_names"):
        return list(names)
    kind = item.get("type")
    if kind == "collection":
        return [item.get("collection_name") or item["id"]]
    return [item.get("collection_name") or f"file-{item.get('id') or (item.get('file') or {}).get('id')}"]


def _whole(item: dict[str, Any]) -> Steps[tuple[list[str], list[dict[str, Any]]]]:
    ids = [item.get("id")]
    if item.get("type") == "collection":
        found = yield endpoint("knowledge.get", params={"knowledge_id": item["id"]}, absent=None)
        ids = [file["id"] for file in (found or {}).get("files") or []]
    texts, facts = [], []
    for id in ids:
        file = (yield Ask("files.get", {"id": str(id), "content": True}, None)) if id else None
        if file:
            texts.append((file.get("data") or {}).get("content") or "")
            facts.append({"file_id": file["id"], "name": file["filename"], "source": file["filename"]})
    return texts, facts


@either
def get_sources_from_items(
    request: Any, items: list[dict[str, Any]], queries: list[str], *args: Any, full_context: bool = False, **named: Any
) -> Steps[list[dict[str, Any]]]:
    """A source for each attached thing: what fits the questions, or all of it."""
    k = _count(named.get("k", next((value for value in args if _count(value)), None)))
    sources = []
    for item in items:
        if item.get("type") == "text" and item.get("content"):
            texts, facts = [item["content"]], [{"name": item.get("name") or item.get("id"), "source": item.get("name")}]
        elif full_context or item.get("context") == "full":
            texts, facts = yield from _whole(item)
        else:
            found = yield from _query(_names(item), list(queries), k)
            texts, facts = found["documents"][0], found["metadatas"][0]
        if texts:
            sources.append({"source": item, "document": texts, "metadata": facts})
    return sources


get_sources_from_files = get_sources_from_items


class Document(BaseModel):
    """A page or a part of one, as loaders of documents answer it."""

    page_content: str
    metadata: dict[str, Any] = {}


@either
def get_content_from_url(request: Any, url: str) -> Steps[tuple[str, list[Document]]]:
    """The text of a page, read by the gateway."""
    found = yield endpoint("retrieval.processWeb", query={"process": "false"}, body={"url": url})
    metadata = {"source": url, "title": found.get("filename") or url}
    return found["content"], [Document(page_content=found["content"], metadata=metadata)]


@either
def get_all_items_from_collections(collection_names: list[str]) -> Steps[Result]:
    """The texts of files whose own collections these are."""
    documents, metadatas = [], []
    for name in collection_names:
        is_file = name.startswith("file-")
        item = {"id": name.removeprefix("file-"), "type": "file"} if is_file else {"id": name, "type": "collection"}
        texts, facts = yield from _whole(item)
        documents.extend(texts)
        metadatas.extend(facts)
    return {"documents": [documents], "metadatas": [metadatas]}


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, "The index is searched by query_collection and get_sources_from_items.")
