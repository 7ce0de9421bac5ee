"""Responses as the web framework makes them, without it."""


class _Response:
    media_type = "text/plain"

    def __init__(self, content, status_code=200, headers=None):
        self.body = content.encode()
        self.status_code = status_code
        self.headers = {**(headers or {}), "content-type": self.media_type}


class HTMLResponse(_Response):
    media_type = "text/html"


class JSONResponse(_Response):
    media_type = "application/json"


class StreamingResponse:
    def __init__(self, content, status_code=200, headers=None, media_type="text/event-stream"):
        self.body_iterator = content
        self.status_code = status_code
        self.headers = {**(headers or {}), "content-type": media_type}
        self.background = None
