"""A provider of models for the proof of outgoing connections: lists one model and answers every call the same.

usage: upstream.py ADDRESS PORT
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = {
    "id": "c1",
    "object": "chat.completion",
    "model": "scripted",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}],
}


class Provider(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, value) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.reply({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.reply(ANSWER)

    def log_message(self, *_) -> None:
        pass


ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), Provider).serve_forever()
