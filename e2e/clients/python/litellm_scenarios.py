"""Runs every scenario through one handler of LiteLLM and prints a JSON line for each.

Reads {"handler", "url", "key", "png"} from standard input. A scenario that raises prints {"error"}.
"""

import json
import os
import sys
import traceback

# The table of prices comes with the package; without this it is looked for on the network first.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm

litellm.telemetry = False
litellm.suppress_debug_info = True

QUESTION = [{"role": "user", "content": "Hello"}]
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "number"}}}
FUNCTION = {"type": "function", "function": {"name": "get_weather", "description": "Tells the weather", "parameters": PARAMETERS}}

# The place each handler is pointed at, and what stands before the names of models it can reach.
HANDLERS = {
    "openai": ("/v1", ""),
    "text-completion-openai": ("/v1", ""),
    "anthropic": ("/api", ""),
    "ollama": ("/ollama", "local-"),
    "ollama_chat": ("/ollama", "local-"),
}


class Scenarios:
    def __init__(self, handler, url, key):
        place, self.prefix = HANDLERS[handler]
        self.handler = handler
        self.key = key
        self.base = url + place

    def options(self, model, key=None):
        return {
            "model": f"{self.handler}/{model}",
            "api_base": self.base,
            "api_key": key or self.key,
            "max_tokens": 1000,
            "num_retries": 0,
            "max_retries": 0,
        }

    def ask(self, scenario, messages=QUESTION, **more):
        return litellm.completion(messages=messages, **self.options(self.prefix + scenario), **more)

    def chat(self):
        return self.ask("text").choices[0].message.content

    def stream(self):
        pieces = [chunk.choices[0].delta.content for chunk in self.ask("text", stream=True) if chunk.choices]
        return [piece for piece in pieces if piece]

    def tools(self):
        calls = self.ask("tools", tools=[FUNCTION]).choices[0].message.tool_calls
        return [{"name": call.function.name, "arguments": json.loads(call.function.arguments)} for call in calls]

    def image(self, png):
        picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}}
        content = [{"type": "text", "text": "What is this?"}, picture]
        return self.ask("image", messages=[{"role": "user", "content": content}]).choices[0].message.content

    def fail(self, model, key=None):
        try:
            litellm.completion(messages=QUESTION, **self.options(model, key))
        except Exception as failure:
            return {"status": getattr(failure, "status_code", None), "kind": type(failure).__name__, "message": str(failure)}

    def embed(self, model):
        options = self.options(model)
        del options["max_tokens"]
        return [len(row["embedding"]) for row in litellm.embedding(input=["Hello", "Good bye"], **options).data]

    def respond(self):
        options = self.options("text")
        del options["max_tokens"]
        answer = litellm.responses(input="Hello", **options)
        return "".join(part.text for item in answer.output if item.type == "message" for part in item.content)

    def cancel(self):
        stream = self.ask("slow", stream=True)
        next(chunk for chunk in stream if chunk.choices and chunk.choices[0].delta.content)
        stream.completion_stream.close() if hasattr(stream.completion_stream, "close") else None


def main():
    task = json.load(sys.stdin)
    handler = task["handler"]
    scenarios = Scenarios(handler, task["url"], task["key"])
    model = lambda name: scenarios.prefix + name
    runs = {
        "chat": scenarios.chat,
        "stream": scenarios.stream,
        "tools": scenarios.tools,
        "image": lambda: scenarios.image(task["png"]),
        "unknown": lambda: scenarios.fail("no-such-model"),
        "refused": lambda: scenarios.fail(model("text"), "sk-wrong"),
        "busy": lambda: scenarios.fail(model("busy")),
        "embed": lambda: scenarios.embed(model("embed")),
        "respond": scenarios.respond,
    }
    for name in task["scenarios"]:
        try:
            outcome = {"result": runs[name]()}
        except Exception:
            outcome = {"error": traceback.format_exc()}
        print(json.dumps({"scenario": name, **outcome}), flush=True)


main()
