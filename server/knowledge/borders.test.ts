import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { CHAT_BODY } from '../testing/create-world.ts'
import { startLibrary } from '../testing/start-library.ts'

const grantTo = (id: string, permission = 'write') => ({
  access_grants: [{ principal_type: 'user', principal_id: id, permission }],
})

async function servePage(text: () => string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<html><body><article><h1>Tides</h1><p>${text()}</p></article></body></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tides`
}

it('a page fetched again takes the place of the old file, and never rewrites a file of somebody else', async () => {
  const library = await startLibrary({ ENABLE_LOCAL_WEB_FETCH: 'true' })
  const { call, ids, server } = library
  let words = 'The tide comes at six in the morning, as it did in all the years before this one.'
  const url = await servePage(() => words)
  const shared = await library.createKnowledge('owner', 'Tides', grantTo(ids.other))
  const collected = async () =>
    (await call('owner', `knowledge/${shared}/files`)).body.items as {
      id: string
      user_id: string
    }[]

  // The owner added a file that claims to come from this URL, and keeps it in a private collection
  // too.
  const file = await server.context.files.create(
    ids.owner,
    {
      filename: 'tides.md',
      contentType: null,
      content: { bytes: Buffer.from('The tide tables of the owner.') },
      metadata: { source: url },
    },
    { process: true, background: false },
  )
  const own = await library.createKnowledge('owner', 'Private')
  for (const id of [shared, own])
    await call('owner', `knowledge/${id}/file/add`, { body: { file_id: file.id } })

  const fetchPage = () =>
    call('other', 'retrieval/process/web', { body: { url, collection_name: shared } })
  expect((await fetchPage()).status).toBe(200)
  expect(await collected()).toMatchObject([{ user_id: ids.other }])
  expect((await call('owner', `files/${file.id}/data/content`)).body.content).toBe(
    'The tide tables of the owner.',
  )
  expect((await call('owner', `knowledge/${own}/files`)).body.total).toBe(1)

  const [before] = await collected()
  words =
    'The tide comes at seven in the evening, which nobody along this coast had expected at all.'
  expect((await fetchPage()).status).toBe(200)
  const [after, ...others] = await collected()
  expect(others).toEqual([])
  expect(after!.id).not.toBe(before!.id)
  expect((await call('other', `files/${before!.id}`)).status).toBe(404)
  // The download is the content that was read.
  expect((await call('other', `files/${after!.id}/content`)).body).toContain('seven in the evening')
  expect((await fetchPage()).status).toBe(200)
  expect((await collected()).map(({ id }) => id)).toEqual([after!.id])
  await library.upload('owner', 'unrelated.txt', 'Another text.')
})

it('a page fetched twice at once is kept once, and a page that cannot be kept leaves no file behind', async () => {
  const library = await startLibrary({ ENABLE_LOCAL_WEB_FETCH: 'true' })
  const { call, server, ids } = library
  let count = 0
  const url = await servePage(
    () =>
      `The tide comes at ${(count += 1)} in the morning, as it did in all the years before this one.`,
  )
  const id = await library.createKnowledge('owner', 'Tides', grantTo(ids.other))
  const fetchPage = () =>
    call('other', 'retrieval/process/web', { body: { url, collection_name: id } })
  expect(
    (await Promise.all([fetchPage(), fetchPage(), fetchPage()])).map(({ status }) => status),
  ).toEqual([200, 200, 200])
  expect((await call('owner', `knowledge/${id}/files`)).body.total).toBe(1)
  const filesOf = async () => (await call('other', 'files/')).body.total as number
  expect(await filesOf()).toBe(1)

  server.context.files.onProcessed(() => server.context.access.remove('knowledge', id))
  expect((await fetchPage()).status).toBe(404)
  expect(await filesOf()).toBe(1)
})

it('a page that is fetched for somebody whose account goes meanwhile is not kept', async () => {
  const library = await startLibrary({ ENABLE_LOCAL_WEB_FETCH: 'true' })
  const { retrieval, users, storage } = library.server.context
  const count = (table: string) => storage.prepare(`select count(*) from ${table}`).pluck().get()
  const fetchPage = async (name: 'owner' | 'other', onRequest = () => {}) => {
    const url = await servePage(() => {
      onRequest()
      return 'The tide comes at six in the morning, as it did in all the years before this one.'
    })
    return (await library.call(name, 'retrieval/process/web', { body: { url } })).status
  }
  // Removed while the page is fetched.
  expect(await fetchPage('other', () => void users.remove(library.ids.other))).toBe(401)
  expect(await count('retrieval_collection')).toBe(0)
  // Removed while the page is read.
  const index = retrieval.index.bind(retrieval)
  retrieval.index = async (...given) => {
    const indexed = await index(...given)
    await users.remove(library.ids.owner)
    return indexed
  }
  expect(await fetchPage('owner')).toBe(404)
  expect(await count("retrieval_document where state = 'ready'")).toBe(0)
  expect(await count('retrieval_member')).toBe(0)
})

it('a collection is processing while one of its files is read, and in error when one failed', async () => {
  const library = await startLibrary()
  const { call, server } = library
  const [id, file] = [
    await library.createKnowledge('owner'),
    await library.upload('owner', 'a.txt', 'Some text.'),
  ]
  await call('owner', `knowledge/${id}/file/add`, { body: { file_id: file } })
  const status = async () => (await call('owner', `knowledge/${id}`)).body.status
  const set = (value: string) =>
    server.context.storage.prepare('update file set status = ? where id = ?').run(value, file)
  expect(await status()).toBe('processed')
  await set('pending')
  expect(await status()).toBe('processing')
  expect((await call('owner', `knowledge/${id}/files/pending`)).body).toMatchObject([
    { id: file, data: { status: 'pending' } },
  ])
  expect((await call('owner', 'knowledge/')).body.items).toMatchObject([
    { id, status: 'processing' },
  ])
  await set('failed')
  expect(await status()).toBe('error')
})

it('a file nobody asked to be read cannot be added, and the reason says what to do', async () => {
  const library = await startLibrary()
  const { call, ids, server } = library
  const content = { bytes: Buffer.from('Some text.') }
  const file = await server.context.files.create(
    ids.owner,
    { filename: 'a.txt', contentType: null, content },
    { process: false, background: true },
  )
  const reply = await call(
    'owner',
    `knowledge/${await library.createKnowledge('owner')}/file/add`,
    { body: { file_id: file.id } },
  )
  expect(reply).toMatchObject({
    status: 400,
    body: {
      detail: expect.stringMatching(/content provided is empty.*uploaded without being processed/),
    },
  })
})

it('collections are shared with everybody by those alone who may do that', async () => {
  const library = await startLibrary()
  const { call, server } = library
  const everybody = {
    access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  }
  const refused = await library.createKnowledge('owner', 'Narrow', everybody)
  expect((await call('owner', `knowledge/${refused}`)).body.access_grants).toEqual([])
  expect((await call('other', `knowledge/${refused}`)).status).toBe(404)
  await server.context.settings.update({
    USER_PERMISSIONS: JSON.stringify({
      workspace: { knowledge: true },
      sharing: { public_knowledge: true },
    }),
  })
  const open = await library.createKnowledge('owner', 'Open', everybody)
  expect((await call('other', `knowledge/${open}`)).status).toBe(200)
})

it('imported models bring along only what their importer may read', async () => {
  const library = await startLibrary()
  const { call, server } = library
  await server.context.settings.update({
    BYPASS_MODEL_ACCESS_CONTROL: true,
    USER_PERMISSIONS: JSON.stringify({ workspace: { models: true, models_import: true } }),
  })
  const file = await library.upload('owner', 'secret.txt', 'The vault opens with heliotrope.')
  const models = [
    {
      id: 'brought',
      name: 'Brought',
      base_model_id: 'guide',
      params: {},
      meta: { knowledge: [{ type: 'file', id: file }] },
    },
  ]
  expect((await call('other', 'models/import', { body: { models } })).status).toBe(404)
  expect((await call('other', 'models/model?id=brought')).status).toBe(404)
  expect((await call('owner', 'models/import', { body: { models } })).status).toBe(200)
})

it('files of a shared chat can be seen by those who may open its link, and no other files', async () => {
  const library = await startLibrary()
  const { call, ids, server } = library
  const [shown, kept, foreign] = [
    await library.upload('owner', 'shown.txt', 'Shown.'),
    await library.upload('owner', 'kept.txt', 'Kept.'),
    await library.upload('admin', 'foreign.txt', 'Of somebody else.'),
  ]
  const message = {
    ...CHAT_BODY.chat.history.messages.m1,
    files: [shown, foreign].map((id) => ({ type: 'file', id })),
  }
  const body = {
    chat: { ...CHAT_BODY.chat, history: { currentId: 'm1', messages: { m1: message } } },
  }
  const chat = (await call('owner', 'chats/new', { body })).body.id as string
  expect((await call('owner', `chats/${chat}/share`, { body: {} })).status).toBe(200)
  const read = async (id: string) => (await call('other', `files/${id}/content`)).status
  expect(await read(shown)).toBe(404)
  await server.context.access.replace(
    { userId: ids.admin, role: 'admin' } as Parameters<typeof server.context.access.replace>[0],
    { type: 'chat', id: chat },
    { access_grants: [{ principal_type: 'user', principal_id: ids.other, permission: 'read' }] },
  )
  expect(await Promise.all([shown, kept, foreign].map(read))).toEqual([200, 404, 404])
  expect((await call('other', `files/${shown}`, { method: 'DELETE' })).status).toBe(404)
  expect(
    (
      await call('other', 'retrieval/query/doc', {
        body: { collection_name: `file-${shown}`, query: 'Shown' },
      })
    ).status,
  ).toBe(200)
  expect((await call('owner', `chats/${chat}`, { method: 'DELETE' })).status).toBe(200)
  expect(await read(shown)).toBe(404)
})
