"""Live windows."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.missing import missing_name
from plugin_host import host
from plugin_host.events import event_caller, event_emitter, request_info


@either
def get_active_user_ids() -> Steps[list[str]]:
    """People who use the gateway now; others than administrators learn only of themselves."""
    return (yield Ask("users.active", {}, []))


@either
def get_models_in_use() -> Steps[list[str]]:
    return []
    yield


get_active_models = get_user_ids_from_room = get_models_in_use
USER_POOL: dict[str, Any] = {}
SESSION_POOL: dict[str, Any] = {}
USAGE_POOL: dict[str, Any] = {}


@either
def get_event_emitter(request_info_: Any = None, update_db: bool = True, **named: Any) -> Steps[Any]:
    """The emitter of the present call: events go to its own message, whatever is asked for."""
    call = host.current_call()
    return event_emitter(request_info(call, host.given())) if call else None
    yield


@either
def get_event_call(request_info_: Any = None, **named: Any) -> Steps[Any]:
    call = host.current_call()
    return event_caller(request_info(call, host.given())) if call and call.has_session else None
    yield


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
