import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOpenAiPictures } from '../../testing/picture-servers/openai-pictures.ts'
import { pluginPython } from '../../testing/plugin-python.ts'
import { startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

/** Runs the code in the question as the user who asks. */
const RUNNER = `
import json
import textwrap


class Pipe:
    async def pipe(self, body, __user__=None, __request__=None):
        scope = {}
        source = textwrap.indent(body["messages"][-1]["content"], "    ")
        exec("async def go(user, request):\\n    import json\\n" + source, scope)
        return json.dumps(await scope["go"](__user__, __request__), default=str)
`

const FOLDERS = `
from open_webui.models.chats import Chats
from open_webui.models.folders import FolderForm, FolderUpdateForm, Folders
top = Folders.insert_new_folder(user["id"], FolderForm(name="Work"))
below = Folders.insert_new_folder(user["id"], FolderForm(name="Reports"), parent_id=top.id)
Folders.update_folder_by_id_and_user_id(top.id, user["id"], FolderUpdateForm(data={"system_prompt": "Be brief."}))
found = await Folders.get_folder_by_id_and_user_id(top.id, user["id"])
names = sorted(folder.name for folder in Folders.get_folders_by_user_id(user["id"]))
parent = Folders.get_folder_by_id_and_user_id(below.id, user["id"]).parent_id == top.id
gone = Folders.delete_folder_by_id_and_user_id(below.id, user["id"], False)
return [names, found.data, parent, gone, len(Folders.get_folders_by_user_id(user["id"]))]`

const KNOWLEDGE = `
import io
from open_webui.models.files import Files
from open_webui.models.knowledge import KnowledgeForm, Knowledges
from open_webui.routers.files import upload_file_handler
from starlette.datastructures import Headers, UploadFile
base = Knowledges.insert_new_knowledge(user["id"], KnowledgeForm(name="Manuals", description="What we have"))
upload = UploadFile(io.BytesIO(b"The boiler is in the cellar."), filename="boiler.txt", headers=Headers({"content-type": "text/plain"}))
file = await upload_file_handler(request, file=upload, metadata={}, process=True, process_in_background=False, user=None)
Knowledges.add_file_to_knowledge_by_id(base.id, file.id, user["id"])
held = await Knowledges.get_knowledge_by_id(base.id)
names = [found.filename for found in Knowledges.get_files_by_id(base.id)]
text = Files.get_file_by_id(file.id).data["content"]
return [held.name, held.data["file_ids"] == [file.id], names, "cellar" in text, open(Files.get_file_by_id(file.id).path).read()]`

/** As actions that save an answer to a collection do. */
const KNOWLEDGE_OVER_HTTP = `
import asyncio, urllib.request
def call(method, path, data=None, kind="application/json"):
    headers = {"Authorization": f"Bearer {request.state.token.credentials}", "Content-Type": kind}
    asked = urllib.request.Request(f"{request.base_url}api/v1/{path}", data=data, headers=headers, method=method)
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)
def save():
    [base] = [item for item in call("GET", "knowledge/")["items"] if item["name"] == "Manuals"]
    part = 'Content-Disposition: form-data; name="file"; filename="answer.md"\\r\\nContent-Type: text/markdown\\r\\n\\r\\nThe answer.'
    form = f"--x\\r\\n{part}\\r\\n--x--\\r\\n".encode()
    file = call("POST", "files/?process=true&process_in_background=false", form, "multipart/form-data; boundary=x")
    call("POST", f"knowledge/{base['id']}/file/add", json.dumps({"file_id": file["id"]}).encode())
    return sorted(item["filename"] for item in call("GET", f"knowledge/{base['id']}/files")["items"])
return await asyncio.to_thread(save)`

const MEMORIES = `
from open_webui.main import app
from open_webui.models.memories import Memories
from open_webui.models.users import Users
from open_webui.routers.memories import AddMemoryForm, QueryMemoryForm, add_memory, delete_memory_by_id, query_memory
from starlette.requests import Request
person = Users.get_user_by_id(user["id"])
own = Request(scope={"type": "http", "app": app})
await add_memory(request=own, form_data=AddMemoryForm(content="Likes green tea"), user=person)
hits = await query_memory(request=own, form_data=QueryMemoryForm(content="tea", k=3), user=person)
shape = [len(hits.ids[0]), len(hits.documents[0]), "created_at" in hits.metadatas[0][0], isinstance(hits.distances[0][0], float)]
await delete_memory_by_id(hits.ids[0][0], user=person)
return [hits.documents[0][0], shape, Memories.get_memories_by_user_id(user["id"])]`

const FEEDBACK = (chat: string, message: string) => `
from open_webui.models.feedbacks import FeedbackForm, Feedbacks
data = {"rating": 1, "model_id": "text", "reason": "good"}
made = Feedbacks.insert_new_feedback(user["id"], FeedbackForm(type="rating", data=data, meta={"chat_id": "${chat}", "message_id": "${message}"}))
again = await Feedbacks.get_feedback_by_id(made.id)
return [again.data["reason"], len(Feedbacks.get_feedbacks_by_user_id(user["id"])), Feedbacks.delete_feedback_by_id(made.id)]`

const GROUPS = `
from open_webui.models.groups import Groups
own = Groups.get_groups_by_member_id(user["id"])
everywhere = await Groups.get_groups()
return [[group.name for group in own], [group.name for group in everywhere]]`

const PICTURES = `
from open_webui.routers.images import EditImageForm, GenerateImageForm, image_edits, image_generations
from open_webui.tools.builtin import generate_image
made = await image_generations(request=request, form_data=GenerateImageForm(prompt="A ship", n=2), user=user)
edited = await image_edits(request, EditImageForm(image=made[0]["url"], prompt="Snow"), user=user)
return [made, edited, json.loads(await generate_image("A boat"))["images"]]`

const SKILLS = `
from open_webui.models.skills import SkillForm, Skills
made = Skills.insert_new_skill(user["id"], SkillForm(id="Business letters", name="Letters", content="Be brief."))
found = await Skills.get_skill_by_id(made.id)
Skills.update_skill_by_id(made.id, {"content": "Be kind."})
listed = [[skill.id, skill.content] for skill in Skills.get_skills_by_user_id(user["id"])]
off = Skills.toggle_skill_by_id(made.id).is_active
return [made.id, found.content, listed, off, Skills.delete_skill_by_id(made.id), Skills.get_skill_by_id(made.id) is None]`

const ABSENT = `
said = []
from open_webui.models.channels import Channels
from open_webui.routers.images import GenerateImageForm, image_generations
said.append([len(Channels.get_channels())])
for work in (lambda: Channels.insert_new_channel({}, user["id"]),):
    try:
        work()
    except NotImplementedError as error:
        said.append(str(error))
try:
    await image_generations(request, GenerateImageForm(prompt="x"), user)
except Exception as error:
    said.append(f"{error.status_code} {error.detail}")
return said`

describe.skipIf(pluginPython === null)(
  'Records of the gateway, as plugins of the host application know them',
  { timeout: 60_000 },
  () => {
    let plugins: PluginServer
    let bob: string
    let cy: string
    beforeAll(async () => {
      plugins = await startPlugins({
        LOG_LEVEL: 'silent',
        USER_PERMISSIONS_WORKSPACE_KNOWLEDGE: 'true',
        USER_PERMISSIONS_WORKSPACE_SKILLS: 'true',
      })
      await plugins.createFunction('runner', RUNNER)
      bob = await plugins.addUser('Bob')
      cy = await plugins.addUser('Cy')
    }, 60_000)
    afterAll(() => plugins.close())

    const run = async (code: string, token = bob): Promise<unknown> => {
      const { body } = await plugins.complete(
        { model: 'runner', messages: [{ role: 'user', content: code }] },
        token,
      )
      const { choices } = body as { choices?: { message: { content: string } }[] }
      if (!choices) throw new Error(JSON.stringify(body))
      return JSON.parse(choices[0]!.message.content) as unknown
    }

    test('folders are made, changed, found and removed', async () => {
      expect(await run(FOLDERS)).toEqual([
        ['Reports', 'Work'],
        { system_prompt: 'Be brief.' },
        true,
        true,
        1,
      ])
      expect(await plugins.api('GET', 'folders/', undefined, bob)).toMatchObject([{ name: 'Work' }])
      expect(await plugins.api('GET', 'folders/', undefined, cy)).toEqual([])
    })

    test('collections hold files that were stored and read', async () => {
      const text = 'The boiler is in the cellar.'
      expect(await run(KNOWLEDGE)).toEqual(['Manuals', true, ['boiler.txt'], true, text])
      expect(await run(KNOWLEDGE_OVER_HTTP)).toEqual(['answer.md', 'boiler.txt'])
    }, 30_000)

    test('memories are added, searched as vectors are, and removed', async () => {
      expect(await run(MEMORIES)).toEqual(['Likes green tea', [1, 1, true, true], []])
    })

    test('feedback belongs to whoever gave it', async () => {
      const chat = await plugins.raw.createChat('Good?', { token: bob })
      expect(await run(FEEDBACK(chat.chat_id, chat.id))).toEqual(['good', 1, true])
    })

    test('groups are those of the person', async () => {
      const group = (await plugins.api('POST', 'groups/create', {
        name: 'Team',
        description: '',
      })) as { id: string }
      const { id } = (await plugins.server.context.users.findByEmail('bob@example.com'))!
      await plugins.api('POST', `groups/id/${group.id}/users/add`, { user_ids: [id] })
      expect(await run(GROUPS)).toMatchObject([['Team'], expect.any(Array)])
      expect(await run(GROUPS, cy)).toMatchObject([[], expect.not.arrayContaining(['Team'])])
    })

    test('pictures are made and edited as files of the person', async () => {
      const painter = await startOpenAiPictures()
      const [base, key] = [`${painter.url}/v1`, 'sk-pictures']
      const { settings } = plugins.server.context
      await settings.update({
        IMAGES_OPENAI_API_BASE_URL: base,
        IMAGES_OPENAI_API_KEY: key,
        ENABLE_IMAGE_GENERATION: true,
      })
      await settings.update({
        IMAGES_EDIT_OPENAI_API_BASE_URL: base,
        IMAGES_EDIT_OPENAI_API_KEY: key,
        ENABLE_IMAGE_EDIT: true,
      })
      const lists = (await run(PICTURES)) as { url: string }[][]
      await settings.update({ ENABLE_IMAGE_GENERATION: false, ENABLE_IMAGE_EDIT: false })
      await painter.close()
      expect(lists.map(({ length }) => length)).toEqual([2, 1, 1])
      const { items } = (await plugins.api('GET', 'images/gallery', undefined, bob)) as {
        items: { url: string; prompt: string }[]
      }
      expect(items.map(({ prompt }) => prompt)).toEqual(['A boat', 'Snow', 'A ship', 'A ship'])
      expect(new Set(items.map(({ url }) => url))).toEqual(
        new Set(lists.flat().map(({ url }) => url)),
      )
    })

    test('skills are made, read, changed, switched off and removed, with the rights of the person', async () => {
      expect(await run(SKILLS)).toEqual([
        'business-letters',
        'Be brief.',
        [['business-letters', 'Be kind.']],
        false,
        true,
        true,
      ])
      await plugins.api('POST', 'skills/create', { id: 'kept', name: 'Kept', content: 'x' }, bob)
      const seen =
        'from open_webui.models.skills import Skills\nreturn Skills.get_skill_by_id("kept") is None'
      expect(await run(seen, cy)).toBe(true)
      expect(await run(seen)).toBe(false)
    })

    test('what the gateway does not have says so when it is used', async () => {
      expect(await run(ABSENT)).toEqual([
        [0],
        'Channels.insert_new_channel is not there in this gateway. Plugins cannot reach channels yet.',
        expect.stringMatching(/^403 /),
      ])
    })
  },
)
