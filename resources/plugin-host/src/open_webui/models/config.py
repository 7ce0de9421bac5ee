"""Settings of the gateway that plugins may see, by the keys later releases use."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.config_values import setting_name
from open_webui._gateway.missing import Table, missing_name


class ConfigTable(Table):
    @either
    def get(self, key: str, default: Any = None, db: Any = None) -> Steps[Any]:
        name = setting_name(key)
        return (yield Ask("config.get", {"names": [name]}, {})).get(name, default)

    @either
    def get_many(self, *keys: Any, db: Any = None) -> Steps[dict[str, Any]]:
        asked = list(keys[0]) if len(keys) == 1 and not isinstance(keys[0], str) else list(keys)
        values = yield Ask("config.get", {"names": [setting_name(key) for key in asked]}, {})
        return {key: values.get(setting_name(key)) for key in asked}

    @either
    def get_all(self, db: Any = None) -> Steps[dict[str, Any]]:
        return (yield Ask("config.get", {}, {}))


Config = ConfigTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, "Only settings can be read, with Config.get.")
