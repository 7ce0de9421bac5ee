"""Ratings of answers: those of the person, for administrators all."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class FeedbackModel(Record):
    id: str
    user_id: str = ""
    version: int = 0
    type: str = "rating"
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    snapshot: dict[str, Any] | None = None
    created_at: int = 0
    updated_at: int = 0


class FeedbackForm(Record):
    type: str = "rating"
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    snapshot: dict[str, Any] | None = None


Feedback = FeedbackResponse = FeedbackModel
RatingData = MetaData = SnapshotData = Record


def _get(id: str) -> Steps[FeedbackModel | None]:
    found = yield endpoint("evaluations.getFeedback", params={"feedback_id": id}, absent=None)
    return FeedbackModel(**found) if found else None


def _own() -> Steps[Records]:
    items: list[dict] = []
    page = 1
    while True:
        found = yield endpoint("evaluations.ownFeedbacks", query={"page": page}, absent={"items": []})
        items += found["items"]
        if not found["items"] or len(items) >= found["total"]:
            return Records(FeedbackModel(**item) for item in items)
        page += 1


class FeedbackTable(Table):
    @either
    def insert_new_feedback(self, user_id: str, form_data: Any, db: Any = None) -> Steps[FeedbackModel | None]:
        return FeedbackModel(**(yield endpoint("evaluations.createFeedback", body=plain_fields(form_data))))

    @either
    def get_feedback_by_id(self, id: str, db: Any = None) -> Steps[FeedbackModel | None]:
        return (yield from _get(id))

    @either
    def get_feedback_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[FeedbackModel | None]:
        found = yield from _get(id)
        return found if found and found.user_id == user_id else None

    @either
    def get_feedbacks_by_user_id(self, user_id: str, db: Any = None) -> Steps[Records]:
        return Records(item for item in (yield from _own()) if item.user_id == user_id)

    @either
    def get_feedbacks_by_chat_id(self, chat_id: str, db: Any = None) -> Steps[Records]:
        return Records(item for item in (yield from _own()) if (item.meta or {}).get("chat_id") == chat_id)

    @either
    def get_all_feedbacks(self, db: Any = None) -> Steps[Records]:
        found = yield endpoint("evaluations.exportFeedbacks", absent=None)
        return (yield from _own()) if found is None else Records(FeedbackModel(**item) for item in found)

    @either
    def update_feedback_by_id(self, id: str, form_data: Any, db: Any = None) -> Steps[FeedbackModel | None]:
        found = yield endpoint("evaluations.updateFeedback", params={"feedback_id": id}, body=plain_fields(form_data), absent=None)
        return FeedbackModel(**found) if found else None

    update_feedback_by_id_and_user_id = update_feedback_by_id

    @either
    def delete_feedback_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        return bool((yield endpoint("evaluations.removeFeedback", params={"feedback_id": id}, absent=False)))


Feedbacks = FeedbackTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
