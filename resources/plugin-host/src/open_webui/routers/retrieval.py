"""Reading and finding documents, as routes of the host application are called from plugins."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.http import to_http
from open_webui._gateway.missing import missing_name
from plugin_host.host import GatewayError


class ProcessFileForm(BaseModel):
    file_id: str
    content: str | None = None
    collection_name: str | None = None


class ProcessTextForm(BaseModel):
    name: str
    content: str
    collection_name: str | None = None


class ProcessUrlForm(BaseModel):
    url: str
    collection_name: str | None = None


class SearchForm(BaseModel):
    queries: list[str] | None = None
    query: str | None = None
    collection_name: str | None = None


class QueryDocForm(BaseModel):
    collection_name: str
    query: str
    k: int | None = None
    k_reranker: int | None = None
    r: float | None = None
    hybrid: bool | None = None


class QueryCollectionsForm(BaseModel):
    collection_names: list[str]
    query: str
    k: int | None = None
    k_reranker: int | None = None
    r: float | None = None
    hybrid: bool | None = None
    hybrid_bm25_weight: float | None = None
    enable_enriched_texts: bool | None = None


def _form(args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    form = named.get("form_data")
    if form is None:
        form = next(value for value in args if isinstance(value, dict) or (hasattr(value, "model_dump") and not hasattr(value, "role")))
    fields = form if isinstance(form, dict) else form.model_dump()
    return {key: value for key, value in fields.items() if value is not None}


def _asked(ask: Ask) -> Steps[Any]:
    try:
        return (yield ask)
    except GatewayError as error:
        raise to_http(error) from error


@either
def process_file(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    """`(request, form_data, user)`: reads and embeds a file."""
    return (yield from _asked(endpoint("retrieval.processFile", body=_form(args, named))))


@either
def process_text(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    return (yield from _asked(endpoint("retrieval.processText", body=_form(args, named))))


@either
def process_web(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    return (yield from _asked(endpoint("retrieval.processWeb", body=_form(args, named))))


process_youtube_video = process_web


@either
def process_web_search(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    form = _form(args, named)
    queries = form.get("queries") or [form.get("query") or ""]
    return (yield from _asked(endpoint("retrieval.searchWeb", body={"queries": queries})))


@either
def query_doc_handler(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    return (yield from _asked(endpoint("retrieval.queryDocument", body=_form(args, named))))


@either
def query_collection_handler(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    return (yield from _asked(endpoint("retrieval.queryCollections", body=_form(args, named))))


class SearchResult(BaseModel):
    link: str
    title: str | None = None
    snippet: str | None = None


@either
def search_web(request: Any, *args: Any, **named: Any) -> Steps[list[SearchResult]]:
    """`(request, [engine,] query, user)`: pages a web search finds."""
    texts = [value for value in (*args, named.get("query")) if isinstance(value, str)]
    found = yield from _asked(endpoint("retrieval.searchWeb", body={"queries": [texts[-1]]}))
    return [SearchResult(**item) for item in found.get("items") or []]


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
