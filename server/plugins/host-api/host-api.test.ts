import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginEnvironment, pluginPython } from '../../testing/plugin-python.ts'
import {
  startConversation,
  type Conversation,
  type OpenChat,
} from '../../testing/start-conversation.ts'
import { ALLOWED_ENDPOINTS } from './endpoint-ids.ts'

/** Runs the code in the question, as a community plugin might. */
const SPY = `
import json
import textwrap
from open_webui.models.functions import Functions


class Pipe:
    def __init__(self):
        self.at_start = {}
        from open_webui.models.users import Users
        from open_webui.models.chats import Chats
        self.at_start["valves"] = Functions.get_function_valves_by_id("spy")
        self.at_start["others"] = Functions.get_function_valves_by_id("keeper")
        self.at_start["user"] = Users.get_first_user()
        self.at_start["chats"] = Chats.get_chats_by_user_id("anybody")

    async def pipe(self, body, __user__=None, __request__=None):
        scope = {"self": self}
        source = textwrap.indent(body["messages"][-1]["content"], "    ")
        exec("async def go(user, request, body):\\n" + source, scope)
        return json.dumps(await scope["go"](__user__, __request__, body), default=str)
`

const KEEPER = `
from pydantic import BaseModel, Field

class Filter:
    class Valves(BaseModel):
        priority: int = 0
        openai_key: str = ""
        pin: str = Field("", json_schema_extra={"input": {"type": "password"}})

    def __init__(self):
        self.valves = self.Valves()

    def inlet(self, body):
        return body
`

const ECHO = `
class Pipe:
    def pipe(self, body, __user__=None, __task__=None):
        if body.get("stream"):
            return iter([f"{__user__['name']} ", f"asks {__task__}"])
        return f"{__user__['name']} asks {__task__}"
`

const CIRCLE = `
from open_webui.utils.chat import generate_chat_completion

class Pipe:
    async def pipe(self, body, __request__=None, __user__=None):
        return await generate_chat_completion(__request__, {**body, "model": "circle"}, None)
`

const CALCULATOR = `
class Tools:
    def add(self, a: int, b: int, __user__=None) -> str:
        """Adds."""
        return f"{a + b} for {__user__['name']}"
`

describe.skipIf(pluginPython === null)('Code of a plugin', () => {
  let conversation: Conversation
  let bob: string
  let cy: string
  let ids: { bob: string; cy: string; ada: string }
  let chat: OpenChat
  let fileId: string
  let knowledgeId: string

  const post = async (
    path: string,
    token: string,
    body: unknown = {},
  ): Promise<Record<string, unknown>> => {
    const reply = await conversation.server.call('POST', path, { token, body })
    const json = (await reply.json()) as Record<string, unknown>
    if (reply.status !== 200) throw new Error(`${path} ${reply.status} ${JSON.stringify(json)}`)
    return json
  }
  /** Returns the result of the code when it runs for the user with this token. */
  const run = async (token: string, code: string): Promise<unknown> => {
    const reply = await conversation.complete(
      { model: 'spy', messages: [{ role: 'user', content: code }], stream: false },
      { token },
    )
    const json = (await reply.json()) as {
      choices?: { message: { content: string } }[]
      error?: unknown
    }
    if (!json.choices) throw new Error(JSON.stringify(json))
    return JSON.parse(json.choices[0]!.message.content) as unknown
  }
  const addFunction = async (id: string, content: string): Promise<void> => {
    await post('/api/v1/functions/create', conversation.token, { id, name: id, content })
    await post(`/api/v1/functions/id/${id}/toggle`, conversation.token)
  }

  beforeAll(async () => {
    conversation = await startConversation({
      environment: { ...pluginEnvironment, USER_PERMISSIONS_WORKSPACE_KNOWLEDGE: 'true' },
    })
    const { token, server } = conversation
    await addFunction('keeper', KEEPER)
    await post('/api/v1/functions/id/keeper/valves/update', token, {
      priority: 3,
      openai_key: 'sk-secret-1',
      pin: '1234',
    })
    await addFunction('spy', SPY)
    await addFunction('parrot', ECHO)
    await addFunction('circle', CIRCLE)
    await post('/api/v1/tools/create', token, {
      id: 'calculator',
      name: 'Calculator',
      content: CALCULATOR,
    })
    bob = await conversation.addUser('Bob')
    cy = await conversation.addUser('Cy')
    const { users } = server.context
    const idOf = async (name: string): Promise<string> =>
      (await users.findByEmail(`${name}@example.com`))!.id
    ids = { bob: await idOf('bob'), cy: await idOf('cy'), ada: await idOf('ada') }
    chat = await conversation.createChat('What Bob asked', { token: bob, title: 'Of Bob' })
    await post('/api/v1/memories/add', bob, { content: 'Bob likes tea' })
    const form = new FormData()
    form.append('file', new Blob(['the words of Bob']), 'words.txt')
    const upload = await fetch(`${server.url}/api/v1/files/?process=false`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bob}` },
      body: form,
    })
    fileId = ((await upload.json()) as { id: string }).id
    knowledgeId = String(
      (await post('/api/v1/knowledge/create', bob, { name: 'Of Bob', description: '' }))['id'],
    )
    await server.call('GET', '/api/models?refresh=true', { token })
  }, 60_000)
  afterAll(() => conversation.close())

  const LOOK = () => `
from open_webui.models.chats import Chats
from open_webui.models.files import Files
from open_webui.models.memories import Memories
from open_webui.models.knowledge import Knowledges
from open_webui.models.users import Users
from open_webui.storage.provider import Storage
found = {}
chat = Chats.get_chat_by_id("${chat.chat_id}")
found["chat"] = chat.title if chat else None
found["by user"] = len(await Chats.get_chats_by_user_id("${ids.bob}"))
found["messages"] = len(Chats.get_messages_map_by_chat_id("${chat.chat_id}") or {})
file = Files.get_file_by_id("${fileId}")
found["file"] = open(file.path).read() if file else None
found["memories"] = [item.content for item in Memories.get_memories_by_user_id("${ids.bob}")]
collection = Knowledges.get_knowledge_by_id("${knowledgeId}")
found["knowledge"] = collection.name if collection else None
try:
    found["storage"] = open(Storage.get_file(str(__import__("pathlib").Path.cwd() / "files" / "${fileId}_words.txt"))).read()
except Exception as error:
    found["storage"] = type(error).__name__
try:
    Chats.update_chat_title_by_id("${chat.chat_id}", "Of Bob")
    found["deleted"] = Files.delete_file_by_id("${'nothing'}")
except Exception as error:
    found["deleted"] = str(error)
return found`

  test('reads and changes what is its person’s', async () => {
    expect(await run(bob, LOOK())).toEqual({
      chat: 'Of Bob',
      'by user': 1,
      messages: 2,
      file: 'the words of Bob',
      memories: ['Bob likes tea'],
      knowledge: 'Of Bob',
      storage: 'the words of Bob',
      deleted: false,
    })
  })

  test('sees nothing of anybody else, also in the worker that read it before', async () => {
    expect(await run(cy, LOOK())).toEqual({
      chat: null,
      'by user': 0,
      messages: 0,
      file: null,
      memories: [],
      knowledge: null,
      storage: 'GatewayError',
      deleted: false,
    })
    expect((await conversation.readChat(chat.chat_id, bob)).title).toBe('Of Bob')
  })

  test('learns of others what every signed-in person sees, and never a key', async () => {
    const code = `
from open_webui.models.users import Users
from open_webui.models.groups import Groups
other = Users.get_user_by_id("${ids.bob}")
own = Users.get_user_by_id(user["id"])
return {"other": [other.name, other.settings, other.last_active_at, other.api_key], "own": own.created_at is not None,
        "all": sorted(person.name for person in Users.get_users()["users"]), "groups": Groups.get_groups_by_member_id("${ids.bob}"),
        "by key": Users.get_user_by_api_key("sk-x")}`
    const expected = {
      other: ['Bob', null, null, null],
      own: true,
      all: ['Ada', 'Bob', 'Cy'],
      groups: [],
      'by key': null,
    }
    expect(await run(cy, code)).toEqual(expected)
  })

  test('cannot act as another person by naming them', async () => {
    const code = `
from open_webui.models.users import Users
from open_webui.models.memories import Memories
from open_webui.utils.chat import generate_chat_completion
from open_webui.utils.access_control import has_permission
admin = Users.get_first_user()
Memories.insert_new_memory("${ids.bob}", "written by Cy")
said = await generate_chat_completion(request, {"model": "parrot", "messages": [], "metadata": {"task": "title_generation"}}, admin)
return [said["choices"][0]["message"]["content"], has_permission(admin.id, "chat.delete")]`
    expect(await run(cy, code)).toEqual(['Cy asks title_generation', false])
    const memories = async (token: string) =>
      (await conversation.server.call('GET', '/api/v1/memories/', { token })).json()
    expect(await memories(bob)).toHaveLength(1)
    expect(await memories(cy)).toMatchObject([{ content: 'written by Cy', user_id: ids.cy }])
  })

  test('keeps people apart who ask at the same time, in threads and tasks too', async () => {
    const code = `
import asyncio
from open_webui.models.users import Users
from open_webui.models.memories import Memories
async def task():
    await asyncio.sleep(0.01)
    return (await Users.get_user_by_id(user["id"])).is_caller
own = [memory.user_id for memory in await asyncio.to_thread(Memories.get_memories_by_user_id, user["id"])]
return [user["id"], await asyncio.create_task(task()), own, len(Memories.get_memories())]`
    const people = [bob, cy]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => run(people[turn % 2]!, code)),
    )
    const expected = [ids.bob, ids.cy].map((id) => [id, true, [id], 1])
    expect(answers).toEqual(Array.from({ length: 20 }, (_, turn) => expected[turn % 2]))
  })

  test('reads no settings of the gateway but the harmless ones, and no secrets of other plugins', async () => {
    const code = `
from open_webui.config import get_config
from open_webui.models.functions import Functions
from open_webui.models.config import Config
config = get_config()
return {"keys": [name for name in config if "KEY" in name and name != "ENABLE_API_KEYS"], "name": "WEBUI_NAME" in config,
        "secret": await Config.get("OPENAI_API_KEYS", "none"), "valves": Functions.get_function_valves_by_id("keeper"),
        "content": Functions.get_function_by_id("keeper").content, "start": self.at_start}`
    // When it was first loaded, it was not stored yet.
    const start = { valves: null, others: { priority: 3 }, user: null, chats: [] }
    expect(await run(cy, code)).toEqual({
      keys: [],
      name: true,
      secret: 'none',
      valves: { priority: 3 },
      content: '',
      start,
    })
  })

  test('may call only endpoints that are listed, and that exist', async () => {
    const known = new Set(conversation.server.context.routes.map(({ endpoint }) => endpoint.id))
    expect([...ALLOWED_ENDPOINTS].filter((id) => !known.has(id))).toEqual([])
    expect(
      [...ALLOWED_ENDPOINTS].filter((id) =>
        /^(auths|settings|configs|connections|functions|tools|backups|plugins)\./.test(id),
      ),
    ).toEqual([])
    const code = `
from plugin_host import host
said = []
for id in ("auths.createApiKey", "settings.list", "users.updateRole", "functions.create", "connections.list"):
    try:
        host.request("endpoint", {"id": id, "body": {}})
    except host.GatewayError as error:
        said.append(error.status)
return said`
    expect(await run(conversation.token, code)).toEqual([404, 404, 404, 404, 404])
  })

  test('asks models alone, whole and streamed, and hears that one is not there', async () => {
    const code = `
from open_webui.utils.chat import generate_chat_completion
from open_webui.utils.misc import get_last_user_message
form = {"model": "text", "messages": [{"role": "user", "content": "Hi"}]}
whole = await generate_chat_completion(request, {**form, "stream": False}, user)
streamed = await generate_chat_completion(request, {**form, "stream": True}, user)
lines = [line async for line in streamed.body_iterator]
try:
    await generate_chat_completion(request, {**form, "model": "nowhere", "stream": True}, user)
except Exception as error:
    refused = str(error)
return [bool(whole["choices"][0]["message"]["content"]), len(lines) > 1, lines[-1], refused, "text" in request.app.state.MODELS]`
    expect(await run(cy, code)).toEqual([
      true,
      true,
      'data: [DONE]\n\n',
      'Model not found: "nowhere".',
      true,
    ])
  })

  test('may ask for models without waiting for itself, although its own are among them', async () => {
    const content = `
class Pipe:
    async def pipes(self):
        return [{"id": "a", "name": "A"}]

    async def pipe(self, body, __request__=None):
        from open_webui.models.models import Models
        return f"{'manifold.a' in __request__.app.state.MODELS} {Models.get_model_by_id('nowhere')}"
`
    await addFunction('manifold', content)
    const reply = await conversation.complete({
      model: 'manifold.a',
      messages: [{ role: 'user', content: 'x' }],
      stream: false,
    })
    expect(await reply.text()).toContain('"True None"')
    // A worker that waits for itself is abandoned after ten seconds.
  }, 9000)

  test('is stopped when models ask each other in a circle', async () => {
    const reply = await conversation.complete({
      model: 'circle',
      messages: [{ role: 'user', content: 'x' }],
      stream: false,
    })
    expect(await reply.text()).toContain('ask each other in a circle')
  })

  test('stores files of its person under the id it chose, once', async () => {
    const id = '00000000-0000-4000-8000-000000000001'
    const code = `
import io
from open_webui.models.files import FileForm, Files
from open_webui.routers.files import upload_file_handler
from open_webui.storage.provider import Storage
from starlette.datastructures import UploadFile
data, path = Storage.upload_file(io.BytesIO(b"picture"), "a.txt", {})
file = Files.insert_new_file(user["id"], FileForm(id="${id}", filename="a.txt", path=path, meta={"name": "a.txt", "mine": 1}))
sent = await upload_file_handler(request, file=UploadFile(file=io.BytesIO(b"more"), filename="b.txt"), metadata={"k": 2}, process=False, user=user)
try:
    Files.insert_new_file(user["id"], FileForm(id="${id}", filename="a.txt", path=path))
except Exception as error:
    twice = error.status
return [file.id, file.user_id, file.meta["data"], sent.filename, sent.meta["data"], twice, open(sent.path).read()]`
    expect(await run(bob, code)).toEqual([id, ids.bob, { mine: 1 }, 'b.txt', { k: 2 }, 409, 'more'])
  })

  test('uses tools its person may use', async () => {
    const code = `
from open_webui.utils.tools import get_tools
tools = get_tools(request, ["calculator", "nothing"], user, {})
return {name: await tool["callable"](a=1, b=2) for name, tool in tools.items()}`
    expect(await run(conversation.token, code)).toEqual({ add: '3 for Ada' })
    expect(await run(cy, code)).toEqual({})
  })

  test('runs tools that have to be approved only with a yes, which nobody can give without a window', async () => {
    const code = `
from open_webui.utils.tools import get_tools
tools = get_tools(request, ["calculator"], user, {})
try:
    return await tools["add"]["callable"](a=1, b=2)
except Exception as error:
    return str(error)`
    const { settings } = conversation.server.context
    await settings.update({ TOOL_APPROVAL: 'always' })
    const answer = await run(conversation.token, code)
    await settings.update({ TOOL_APPROVAL: null })
    expect(answer).toBe('The person did not allow this call.')
  })

  test('finds passages by the engine of the gateway', async () => {
    const code = `
from open_webui.routers.retrieval import process_text, ProcessTextForm, query_collection_handler, QueryCollectionsForm
process_text(request, ProcessTextForm(name="Tea", content="Tea is kept in the blue tin.", collection_name="tin"), user=user)
found = query_collection_handler(request, QueryCollectionsForm(collection_names=["tin"], query="Where is the tea?", k=1), user)
vector = request.app.state.EMBEDDING_FUNCTION("tea", prefix="", user=user)
return [found["documents"][0][0], len(vector) > 10]`
    expect(await run(bob, code)).toEqual(['Tea is kept in the blue tin.', true])
  })
})
