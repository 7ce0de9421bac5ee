from tests.harness import WorkerTest

SOURCE = """
import json
import no_such_package
from .beside import x
from open_webui.models.users import Users, UserModel
from open_webui.models.users import paint
from open_webui.config import WEBUI_URL, OPENAI_API_KEY
from open_webui.main import app, SRC_LOG_LEVELS
from open_webui.internal.db import get_db
from open_webui.no.where import thing
from open_webui.utils import misc
from apps.webui.models.chats import Chats
from utils.misc import get_last_user_message, nothing_like_it

class Tools:
    pass
"""


class Report(WorkerTest):
    def test_what_is_there(self) -> None:
        found = self.worker.call("inspect", content=SOURCE, store="tool")["imports"]
        self.assertEqual([item["module"] for item in found if not item["found"]], ["no_such_package", ".beside"])
        missing = [name for item in found for name in item["missing"]]
        self.assertEqual(
            missing,
            [
                "open_webui.models.users.paint",
                "open_webui.config.OPENAI_API_KEY",
                "open_webui.internal.db.get_db",
                "open_webui.no.where.thing",
                "open_webui.utils.misc.nothing_like_it",
            ],
        )
