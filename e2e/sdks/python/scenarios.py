"""Runs every scenario with one of the official Python packages and prints a JSON line for each.

Reads {"sdk", "url", "key", "png"} from standard input. A scenario that raises prints {"error"}.
"""

import json
import sys
import traceback

QUESTION = [{"role": "user", "content": "Hello"}]
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "number"}}}
FUNCTION = {"type": "function", "function": {"name": "get_weather", "description": "Tells the weather", "parameters": PARAMETERS}}
PICTURE = "What is this?"


class OpenAiScenarios:
    prefix = ""

    def __init__(self, url, key):
        from openai import APIStatusError, OpenAI

        self.failure = APIStatusError
        self.connect = lambda secret: OpenAI(base_url=f"{url}/api", api_key=secret, max_retries=0)
        self.client = self.connect(key)

    def ask(self, model, client=None, messages=QUESTION, **more):
        return (client or self.client).chat.completions.create(model=model, messages=messages, **more)

    def list(self):
        return [model.id for model in self.client.models.list()]

    def chat(self, model):
        return self.ask(model).choices[0].message.content

    def stream(self, model):
        pieces = [chunk.choices[0].delta.content for chunk in self.ask(model, stream=True) if chunk.choices]
        return [piece for piece in pieces if piece]

    def tools(self, model):
        calls = self.ask(model, tools=[FUNCTION]).choices[0].message.tool_calls
        return [{"name": call.function.name, "arguments": json.loads(call.function.arguments)} for call in calls]

    def image(self, model, png):
        picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}}
        return self.ask(model, messages=[{"role": "user", "content": [{"type": "text", "text": PICTURE}, picture]}]).choices[0].message.content

    def fail(self, model, key):
        try:
            self.ask(model, client=self.connect(key))
        except self.failure as failure:
            return {"status": failure.status_code, "message": str(failure)}

    def cancel(self, model):
        stream = self.ask(model, stream=True)
        next(chunk for chunk in stream if chunk.choices and chunk.choices[0].delta.content)
        stream.close()


class AnthropicScenarios:
    prefix = ""

    def __init__(self, url, key):
        from anthropic import Anthropic, APIStatusError

        self.failure = APIStatusError
        self.connect = lambda secret: Anthropic(base_url=f"{url}/api", api_key=secret, max_retries=0)
        self.client = self.connect(key)

    def ask(self, model, client=None, messages=QUESTION, **more):
        return (client or self.client).messages.create(model=model, messages=messages, max_tokens=1000, **more)

    @staticmethod
    def text(message):
        return "".join(block.text for block in message.content if block.type == "text")

    def list(self):
        return [model.id for model in self.client.models.list()]

    def chat(self, model):
        return self.text(self.ask(model))

    def stream(self, model):
        with self.client.messages.stream(model=model, messages=QUESTION, max_tokens=1000) as stream:
            return list(stream.text_stream)

    def tools(self, model):
        tool = {"name": "get_weather", "description": "Tells the weather", "input_schema": PARAMETERS}
        message = self.ask(model, tools=[tool])
        return [{"name": block.name, "arguments": block.input} for block in message.content if block.type == "tool_use"]

    def image(self, model, png):
        source = {"type": "base64", "media_type": "image/png", "data": png}
        content = [{"type": "image", "source": source}, {"type": "text", "text": PICTURE}]
        return self.text(self.ask(model, messages=[{"role": "user", "content": content}]))

    def fail(self, model, key):
        try:
            self.ask(model, client=self.connect(key))
        except self.failure as failure:
            return {"status": failure.status_code, "message": str(failure)}

    def cancel(self, model):
        with self.client.messages.stream(model=model, messages=QUESTION, max_tokens=1000) as stream:
            next(iter(stream.text_stream))


class OllamaScenarios:
    prefix = "local-"

    def __init__(self, url, key):
        from ollama import Client, ResponseError

        self.failure = ResponseError
        self.connect = lambda secret: Client(host=f"{url}/llmhost", headers={"Authorization": f"Bearer {secret}"})
        self.client = self.connect(key)

    def list(self):
        return [model.model for model in self.client.list().models]

    def chat(self, model):
        return self.client.chat(model=model, messages=QUESTION).message.content

    def stream(self, model):
        pieces = [part.message.content for part in self.client.chat(model=model, messages=QUESTION, stream=True)]
        return [piece for piece in pieces if piece]

    def tools(self, model):
        calls = self.client.chat(model=model, messages=QUESTION, tools=[FUNCTION]).message.tool_calls
        return [{"name": call.function.name, "arguments": dict(call.function.arguments)} for call in calls]

    def image(self, model, png):
        return self.client.chat(model=model, messages=[{"role": "user", "content": PICTURE, "images": [png]}]).message.content

    def fail(self, model, key):
        try:
            self.connect(key).chat(model=model, messages=QUESTION)
        except self.failure as failure:
            return {"status": failure.status_code, "message": str(failure)}

    def cancel(self, model):
        stream = self.client.chat(model=model, messages=QUESTION, stream=True)
        next(stream)
        stream.close()


SDKS = {"openai": OpenAiScenarios, "anthropic": AnthropicScenarios, "ollama": OllamaScenarios}


def main():
    task = json.load(sys.stdin)
    scenarios = SDKS[task["sdk"]](task["url"], task["key"])
    model = lambda name: scenarios.prefix + name
    runs = {
        "list": lambda: scenarios.list(),
        "chat": lambda: scenarios.chat(model("text")),
        "stream": lambda: scenarios.stream(model("text")),
        "tools": lambda: scenarios.tools(model("tools")),
        "image": lambda: scenarios.image(model("image"), task["png"]),
        "unknown": lambda: scenarios.fail("no-such-model", task["key"]),
        "refused": lambda: scenarios.fail(model("text"), "sk-wrong"),
        "busy": lambda: scenarios.fail(model("busy"), task["key"]),
        "cancel": lambda: scenarios.cancel(model("slow")),
    }
    for name, run in runs.items():
        try:
            outcome = {"result": run()}
        except Exception:
            outcome = {"error": traceback.format_exc()}
        print(json.dumps({"scenario": name, **outcome}), flush=True)


main()
