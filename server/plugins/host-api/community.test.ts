import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

/** Plugins modelled on published ones, each relying on one habit that is common among them. */

const MODEL_OF_METADATA = `
class Pipe:
    def pipes(self):
        return [{"id": "paint", "name": "Paint"}]

    async def pipe(self, body, __metadata__, __task__=None):
        if "error" in __metadata__["model"]["id"]:
            return "the list of models could not be read"
        return f"{__metadata__['model']['id']} {__metadata__['chat_id'] or 'no chat'}"
`

const VENDOR = `
from pydantic import BaseModel


class Pipe:
    class Valves(BaseModel):
        API_KEY: str = ""

    def __init__(self):
        self.type = "manifold"
        self.name = ""
        self.valves = self.Valves()

    async def pipes(self):
        if not self.valves.API_KEY:
            return [{"id": "error", "name": "API_KEY is not set. Fill it in the valves."}]
        return [{"id": f"large-{self.valves.API_KEY}", "name": "Large"}]

    async def pipe(self, body):
        return body["model"][body["model"].find(".") + 1 :]
`

const COMPANION = `
import asyncio


class Emitter:
    """Sends from a task of its own, so that nobody waits."""

    def __init__(self, emit):
        self.emit = emit
        self.queue = asyncio.Queue()
        self.task = asyncio.create_task(self.work())

    async def work(self):
        while (event := await self.queue.get()) is not None:
            await self.emit(event)
            self.queue.task_done()
        self.queue.task_done()

    def status(self, text):
        self.queue.put_nowait({"type": "status", "data": {"description": text, "done": True}})


class Filter:
    def inlet(self, body, __request__, __metadata__, __event_emitter__):
        emitter = Emitter(__event_emitter__)
        __request__.app.state._state[f"emitter_{__metadata__['message_id']}"] = emitter
        body["metadata"]["features"]["companion"] = "2.1"
        __metadata__.setdefault("features", {}).update({"web_search": False})
        emitter.status("from the inlet")
        return body

    async def outlet(self, body, __request__, __metadata__):
        emitter = __request__.app.state._state.pop(f"emitter_{__metadata__['message_id']}", None)
        body["messages"][-1]["content"] += f" [{__metadata__['features'].get('companion')}]"
        emitter.status("from the outlet")
        await emitter.queue.join()
        return body
`

const WHOLE_DOCUMENT = `
class Filter:
    def __init__(self):
        self.file_handler = True

    def inlet(self, body, user=None):
        for item in body.get("files") or []:
            text = item.get("file", {}).get("data", {}).get("content")
            if text and body.get("messages"):
                body["messages"][0]["content"] = f"{' '.join(text.split())}\\n\\n{body['messages'][0]['content']}"
                body["files"] = []
                break
        return body
`

const ROUTER = `
from typing import Any, Dict, List, Optional, Union

from open_webui.models.files import FileMetadataResponse
from open_webui.models.models import ModelModel, ModelUserResponse
from open_webui.models.users import UserModel
from open_webui.routers.models import get_base_models, get_models
from open_webui.utils.chat import generate_chat_completion
from open_webui.utils.misc import get_last_user_message
from open_webui.utils.payload import convert_payload_openai_to_ollama


def facts(model: Union[ModelUserResponse, ModelModel, Dict[str, Any]]) -> Dict[str, Any]:
    return model if isinstance(model, dict) else model.model_dump()


class Filter:
    def __init__(self):
        self.__user__: Optional[UserModel] = None

    async def inlet(self, body, __event_emitter__, __user__=None, __request__=None):
        self.__user__ = UserModel(**__user__)
        listed = list(await get_models(user=self.__user__)) + list(await get_base_models(user=self.__user__))
        known = sorted(facts(model)["id"] for model in listed if facts(model)["is_active"])
        question = {"role": "user", "content": get_last_user_message(body["messages"])}
        answer = await generate_chat_completion(
            __request__, {"model": body["model"], "messages": [question], "stream": False}, user=self.__user__, bypass_filter=True
        )
        said = answer["choices"][0]["message"]["content"]
        await __event_emitter__({"type": "status", "data": {"description": f"{known} {said}", "done": True}})
        return body
`

const PAINTER = `
import base64
from open_webui.models.chats import Chats
from open_webui.models.users import UserModel
from open_webui.routers.images import get_image_data, upload_image


class Tools:
    async def paint(self, __request__=None, __user__=None, __chat_id__=None, __message_id__=None, __event_emitter__=None) -> str:
        """Paints."""
        data, kind = get_image_data("data:image/png;base64," + base64.b64encode(b"a picture").decode())
        place = {"chat_id": __chat_id__, "message_id": __message_id__}
        file, url = upload_image(__request__, data, kind, place, UserModel(**__user__))
        shown = Chats.add_message_files_by_id_and_message_id(__chat_id__, __message_id__, [{"type": "image", "url": url}])
        await __event_emitter__({"type": "chat:message:files", "data": {"files": shown}})
        return f"{file.filename} {kind}"
`

describe.skipIf(pluginPython === null)('Plugins as people share them', { timeout: 60_000 }, () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
  }, 60_000)
  afterAll(() => plugins.close())

  const refreshModels = () =>
    plugins.server.call('GET', '/api/models?refresh=true', { token: plugins.token })
  /** Returns the texts that plugins wrote to the status line. */
  const statuses = (message: { statusHistory?: unknown }) =>
    ((message.statusHistory ?? []) as { action?: string; description: string }[])
      .filter(({ action }) => action === undefined)
      .map(({ description }) => description)

  test('find the model of the request in its metadata, in chats and without one', async () => {
    await plugins.createFunction('pictures', MODEL_OF_METADATA)
    await refreshModels()
    const { message, chat } = await plugins.askInChat('A cat', { model: 'pictures.paint' })
    expect(message.content).toBe(`pictures.paint ${chat.chat_id}`)
    const { body } = await plugins.complete({ model: 'pictures.paint' })
    expect(body).toMatchObject({ choices: [{ message: { content: 'pictures.paint no chat' } }] })
  })

  test('list models by their settings, as soon as those are changed', async () => {
    const listed = async (): Promise<string[]> => {
      const reply = await plugins.server.call('GET', '/api/models', { token: plugins.token })
      return ((await reply.json()) as { data: { id: string }[] }).data
        .map(({ id }) => id)
        .filter((id) => id.startsWith('vendor.'))
    }
    await plugins.createFunction('vendor', VENDOR)
    await refreshModels()
    expect(await listed()).toEqual(['vendor.error'])
    await plugins.api('POST', 'functions/id/vendor/valves/update', { API_KEY: 'k1' })
    await expect.poll(listed).toEqual(['vendor.large-k1'])
    expect((await plugins.complete({ model: 'vendor.large-k1' })).body).toMatchObject({
      choices: [{ message: { content: 'large-k1' } }],
    })
  })

  test('start tasks in a sync inlet, and find in the outlet what the inlet kept', async () => {
    await plugins.createFunction('companion', COMPANION)
    plugins.rounds([say('Yes.')])
    await plugins.withGlobal('companion', async () => {
      const { chat } = await plugins.askInChat('Do you?', { features: { web_search: true } })
      await expect.poll(async () => (await plugins.readMessage(chat)).content).toBe('Yes. [2.1]')
      expect(statuses(await plugins.readMessage(chat))).toEqual([
        'from the inlet',
        'from the outlet',
      ])
    })
  })

  test('read attached files whose text the request did not bring', async () => {
    await plugins.createFunction('whole_document', WHOLE_DOCUMENT)
    const form = new FormData()
    form.append('file', new Blob(['The  door\nis green.']), 'door.txt')
    const headers = { Authorization: `Bearer ${plugins.token}` }
    const upload = await fetch(`${plugins.server.url}/api/v1/files/`, {
      method: 'POST',
      headers,
      body: form,
    })
    const { id } = (await upload.json()) as { id: string }
    const text = () => plugins.api('GET', `files/${id}/data/content`).catch(() => null)
    await expect
      .poll(text, { timeout: 15_000 })
      .toMatchObject({ content: expect.stringContaining('green') })
    await plugins.withGlobal('whole_document', async () => {
      await plugins.askInChat('Which colour?', { files: [{ type: 'file', id, name: 'door.txt' }] })
      expect(plugins.lastBody()['messages']).toMatchObject([
        { content: 'The door is green.\n\nWhich colour?' },
      ])
      expect(plugins.lastBody()).not.toHaveProperty('files')
    })
  })

  test('choose among the models of the person, by asking one', async () => {
    await plugins.createFunction('router', ROUTER)
    plugins.rounds([say('text')])
    await plugins.withGlobal('router', async () => {
      const { message } = await plugins.askInChat('Which?')
      expect(statuses(message)).toEqual([expect.stringMatching(/^\[.*'text'.*\] text$/)])
    })
  })

  test('store pictures they made and put them beside the answer', async () => {
    await plugins.createTool('painter', PAINTER)
    plugins.rounds([callTool('paint')], [say('There.')])
    const { message } = await plugins.askInChat('Paint', { tool_ids: ['painter'] })
    expect(plugins.toolTexts()).toEqual(['generated-image.png image/png'])
    expect(message['files']).toMatchObject([
      { type: 'image', url: expect.stringMatching(/^\/api\/v1\/files\/.+\/content$/) },
    ])
  })
})
