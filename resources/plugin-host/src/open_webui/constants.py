"""Words and names plugins compare with."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class MESSAGES(StrEnum):
    DEFAULT = lambda msg="": f"{msg if msg else ''}"  # noqa: E731
    MODEL_ADDED = lambda model="": f"The model “{model}” was added."  # noqa: E731
    MODEL_DELETED = lambda model="": f"The model “{model}” was deleted."  # noqa: E731


class WEBHOOK_MESSAGES(StrEnum):
    DEFAULT = lambda msg="": f"{msg if msg else ''}"  # noqa: E731
    USER_SIGNUP = lambda username="": f"{username} has an account now." if username else "There is a new account."  # noqa: E731


class ERROR_MESSAGES(StrEnum):
    DEFAULT = lambda err="": f"[ERROR: {err}]" if err else "Something went wrong."  # noqa: E731
    ENV_VAR_NOT_FOUND = "A variable of the environment is missing."
    CREATE_USER_ERROR = "The account could not be made. Try again."
    DELETE_USER_ERROR = "The account could not be deleted. Try again."
    EMAIL_MISMATCH = "This is not the e-mail address of the account."
    EMAIL_TAKEN = "This email address is already registered."
    USERNAME_TAKEN = "This name is already taken."
    PASSWORD_TOO_LONG = "The password is too long."
    COMMAND_TAKEN = "This command is already in use."
    FILE_EXISTS = "This file is there already."
    ID_TAKEN = "This id is already in use."
    MODEL_ID_TAKEN = "A model with this id is there already."
    NAME_TAG_TAKEN = "This name is already in use."
    MODEL_ID_TOO_LONG = "The id of the model is too long."
    INVALID_TOKEN = "Your session has ended. Sign in again."
    INVALID_CRED = "E-mail address or password is wrong."
    INVALID_EMAIL_FORMAT = "This is no e-mail address."
    INVALID_PASSWORD = "The password is wrong."
    INVALID_TRUSTED_HEADER = "The sign-in in front of the gateway sent no name."
    EXISTING_USERS = "There are accounts already."
    UNAUTHORIZED = "401 Unauthorized"
    ACCESS_PROHIBITED = "You may not use this. Ask an administrator."
    ACTION_PROHIBITED = "This is not allowed."
    FILE_NOT_SENT = "No file was sent."
    FILE_NOT_SUPPORTED = "Files of this kind are not supported."
    NOT_FOUND = "What you are looking for is not there."
    USER_NOT_FOUND = "There is no such account."
    API_KEY_NOT_FOUND = "There is no API key."
    API_KEY_NOT_ALLOWED = "API keys are switched off."
    MALICIOUS = "Something about this looks wrong. Try again in a while."
    PANDOC_NOT_INSTALLED = "Pandoc is not installed here."
    INCORRECT_FORMAT = lambda err="": f"The format is wrong. {err}"  # noqa: E731
    RATE_LIMIT_EXCEEDED = "Too many calls. Wait a moment."
    MODEL_NOT_FOUND = lambda name="": f"Model '{name}' was not found"  # noqa: E731
    OPENAI_NOT_FOUND = lambda name="": "No remote provider was found"  # noqa: E731
    OLLAMA_NOT_FOUND = "The local runtime was not found"
    CREATE_API_KEY_ERROR = "The API key could not be made. Try again."
    DUPLICATE_CONTENT = "This content is there already."
    FILE_NOT_PROCESSED = "The file has no text yet. Wait until it was read."
    EMPTY_CONTENT = "There is no text in it."
    DB_NOT_SQLITE = "This works with SQLite only."
    INVALID_URL = "This is no address the gateway may open."
    WEB_SEARCH_ERROR = lambda err="": f"The web search failed. {err}"  # noqa: E731
    OLLAMA_API_DISABLED = "Local runtimes are switched off."
    FILE_TOO_LARGE = lambda size="": f"The file is larger than {size}."  # noqa: E731
    FEATURE_DISABLED = lambda name="": f"{name} is switched off."  # noqa: E731
    INPUT_TOO_LONG = lambda size="": f"The input is longer than {size}."  # noqa: E731


class TASKS(StrEnum):
    # @NOTE A function, so that comparing it with a task is never true; plugins rely on it.
    DEFAULT = lambda task="": f"{task if task else 'generation'}"  # noqa: E731
    TITLE_GENERATION = "title_generation"
    FOLLOW_UP_GENERATION = "follow_up_generation"
    TAGS_GENERATION = "tags_generation"
    EMOJI_GENERATION = "emoji_generation"
    QUERY_GENERATION = "query_generation"
    IMAGE_PROMPT_GENERATION = "image_prompt_generation"
    AUTOCOMPLETE_GENERATION = "autocomplete_generation"
    FUNCTION_CALLING = "function_calling"
    MOA_RESPONSE_GENERATION = "moa_response_generation"


def __getattr__(name: str) -> Any:
    from open_webui._gateway.missing import missing_name

    return missing_name(__name__, name)
