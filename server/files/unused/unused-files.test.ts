import { expect, it } from 'vitest'
import { CHAT_BODY } from '../../testing/create-world.ts'
import { startLibrary } from '../../testing/start-library.ts'

const DAYS_AGO = 40 * 24 * 60 * 60
const chatWith = (message: object) => ({
  chat: {
    ...CHAT_BODY.chat,
    history: {
      currentId: 'm1',
      messages: { m1: { ...CHAT_BODY.chat.history.messages.m1, ...message } },
    },
  },
})

async function startUsed() {
  const library = await startLibrary()
  const { call, server } = library
  const names = [
    'unused',
    'young',
    'collection',
    'message',
    'content',
    'folder',
    'model',
    'trash',
    'note',
  ] as const
  const files = {} as Record<(typeof names)[number], string>
  for (const name of names)
    files[name] = await library.upload('owner', `${name}.txt`, `A text for ${name}.`)
  await server.context.storage.prepare('update file set updated_at = updated_at - ?').run(DAYS_AGO)
  await server.context.files.rename(files.young, 'young.txt')

  const collection = await library.createKnowledge('owner', 'Kept')
  await call('owner', `knowledge/${collection}/file/add`, { body: { file_id: files.collection } })
  await call('owner', 'chats/new', {
    body: chatWith({ files: [{ type: 'file', id: files.message }] }),
  })
  await call('owner', 'chats/new', {
    body: chatWith({ content: `![a](/api/v1/files/${files.content}/content)` }),
  })
  const trashed = await call('owner', 'chats/new', {
    body: chatWith({ files: [{ type: 'file', id: files.trash }] }),
  })
  await call('owner', `chats/${trashed.body.id}`, { method: 'DELETE' })
  await call('owner', 'folders/', {
    body: { name: 'Kept', data: { files: [{ type: 'file', id: files.folder }] } },
  })
  await server.context.settings.update({ BYPASS_MODEL_ACCESS_CONTROL: true })
  const model = {
    id: 'kept',
    name: 'Kept',
    base_model_id: 'guide',
    params: {},
    meta: { knowledge: [{ type: 'file', id: files.model }] },
  }
  expect((await call('owner', 'models/create', { body: model })).status).toBe(200)
  await call('owner', 'notes/create', {
    body: { title: 'Kept', data: { content: { md: `See ${files.note}.` } } },
  })
  return { ...library, files, collection }
}

it('what nothing mentions can be looked at and deleted by an administrator, and nothing else goes', async () => {
  const { call, files } = await startUsed()
  expect((await call('admin', 'files/unused')).body).toMatchObject({
    count: 1,
    items: [{ id: files.unused, filename: 'unused.txt' }],
  })
  expect((await call('admin', 'files/unused?days=60')).body).toMatchObject({
    count: 0,
    bytes: 0,
    items: [],
  })
  expect((await call('owner', 'files/unused')).status).toBe(401)
  expect((await call('owner', 'files/unused', { method: 'DELETE' })).status).toBe(401)
  const size = 'A text for unused.'.length
  expect((await call('admin', 'files/unused', { method: 'DELETE' })).body).toEqual({
    removed: 1,
    bytes: size,
  })
  for (const [name, id] of Object.entries(files))
    expect((await call('owner', `files/${id}`)).status, name).toBe(name === 'unused' ? 404 : 200)
})

it('they are deleted by themselves only where that is switched on', async () => {
  const { server, call, files } = await startUsed()
  await server.context.files.keepUp()
  expect((await call('owner', `files/${files.unused}`)).status).toBe(200)
  await server.context.settings.update({ FILE_RETENTION_DAYS: 30 })
  await server.context.files.keepUp()
  expect((await call('owner', `files/${files.unused}`)).status).toBe(404)
  expect((await call('owner', `files/${files.message}`)).status).toBe(200)
})

it('a file says what uses it to its owner and administrators', async () => {
  const { call, files, collection } = await startUsed()
  const uses = async (name: 'owner' | 'admin' | 'other', id: string) =>
    (await call(name, `files/${id}/uses`)).body
  const nothing = { collections: [], chats: 0, folders: 0, models: [], others: 0 }
  expect(await uses('owner', files.unused)).toEqual(nothing)
  expect(await uses('owner', files.collection)).toEqual({
    ...nothing,
    collections: [{ id: collection, name: 'Kept' }],
  })
  expect(await uses('admin', files.message)).toEqual({ ...nothing, chats: 1 })
  expect(await uses('owner', files.folder)).toEqual({ ...nothing, folders: 1 })
  expect(await uses('owner', files.model)).toEqual({
    ...nothing,
    models: [{ id: 'kept', name: 'Kept' }],
  })
  expect((await call('other', `files/${files.message}/uses`)).status).toBe(404)
})
