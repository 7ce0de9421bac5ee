"""Plays the calls of a program that was written for the reference with python-socketio.

Reads {"url", "token", "other", "channel"} from the first line of standard input and prints a JSON line for each step. After "ready" it
answers what it is asked until standard input ends.
"""

import json
import sys
import threading

import requests
import socketio

WAIT = 20
ANSWERS = {"input": "yes", "confirmation": False, "execute": {"rows": [1, 2]}}


def say(step, **result):
    print(json.dumps({"step": step, **result}), flush=True)


class Program:
    def __init__(self, url, token):
        self.url, self.token = url, token
        self.heard, self.in_channels = [], []
        self.news = threading.Condition()
        self.client = socketio.Client(reconnection=False)
        self.client.on("events", self.hear)
        self.client.on("events:channel", self.hear_channel)
        self.client.connect(url, socketio_path="/ws/socket.io", transports=["websocket"], auth={"token": token})

    def hear(self, event):
        with self.news:
            self.heard.append(event["data"])
            self.news.notify_all()
        return ANSWERS.get(event["data"]["type"])

    def hear_channel(self, event):
        with self.news:
            self.in_channels.append(event["data"])
            self.news.notify_all()

    def wait_for(self, is_there):
        with self.news:
            if not self.news.wait_for(is_there, WAIT):
                raise TimeoutError(f"Heard only {self.heard[-5:]} and {self.in_channels[-5:]}")

    def join(self):
        return self.client.call("user-join", {"auth": {"token": self.token}}, timeout=WAIT)

    def post(self, path, body):
        reply = requests.post(self.url + path, json=body, headers={"Authorization": f"Bearer {self.token}"}, timeout=WAIT)
        reply.raise_for_status()
        return reply.json()

    def is_over(self):
        return any(event == {"type": "chat:active", "data": {"active": False}} for event in self.heard)

    def ask(self, question):
        """Asks in a new chat as the window of the reference does; answers what the call said."""
        with self.news:
            self.heard.clear()
        user = {"id": "u", "role": "user", "content": question, "parentId": None, "childrenIds": ["a"]}
        answer = {"id": "a", "role": "assistant", "content": "", "parentId": "u", "childrenIds": []}
        history = {"messages": {"u": user, "a": answer}, "currentId": "a"}
        chat = self.post("/api/v1/chats/new", {"chat": {"title": "New Chat", "models": ["text"], "history": history}})
        messages = [{"role": "user", "content": question}]
        place = {"chat_id": chat["id"], "id": "a", "session_id": self.client.get_sid()}
        reply = self.post("/api/chat/completions", {"model": "text", "stream": True, "messages": messages, **place})
        return chat["id"], reply


def main():
    given = json.loads(sys.stdin.readline())
    program = Program(given["url"], given["token"])
    say("joined", person=program.join())
    say("heartbeat", answer=program.client.call("heartbeat", {}, timeout=WAIT))

    _, reply = program.ask("Hello")
    program.wait_for(program.is_over)
    texts = [event["data"]["content"] for event in program.heard if event["type"] == "chat:completion" and "content" in event["data"]]
    say("turn", reply=reply, types=[event["type"] for event in program.heard], texts=texts)

    chat_id, _ = program.ask("Please wait")
    program.wait_for(lambda: any(event["type"] == "chat:active" for event in program.heard))
    say("waiting")
    sys.stdin.readline()
    stopped = program.post(f"/api/tasks/chat/{chat_id}/stop", {})
    program.wait_for(program.is_over)
    say("stopped", status=stopped["status"], types=[event["type"] for event in program.heard])

    other = Program(given["url"], given["other"])
    for each in (program, other):
        each.client.call("join-channels", {"auth": {"token": each.token}}, timeout=WAIT)
    typing = {"type": "typing", "data": {"typing": True}}
    program.client.emit("events:channel", {"channel_id": given["channel"], "message_id": None, "data": typing})
    other.wait_for(lambda: len(other.in_channels) > 0)
    program.post(f"/api/v1/channels/{given['channel']}/messages/post", {"content": "Good morning"})
    program.wait_for(lambda: any(event["type"] == "message" for event in program.in_channels))
    other.wait_for(lambda: any(event["type"] == "message" for event in other.in_channels))
    say("channel", heard=[event["type"] for event in other.in_channels], chats=other.heard)

    stranger = Program(given["url"], None)
    say("stranger", answer=stranger.client.call("heartbeat", {}, timeout=WAIT), joined=stranger.join())

    say("ready", sid=program.client.get_sid())
    sys.stdin.read()
    say("heard", by_stranger=stranger.heard)
    for each in (program, other, stranger):
        each.client.disconnect()


main()
