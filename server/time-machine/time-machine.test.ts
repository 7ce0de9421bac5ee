import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SnapshotContents, SnapshotLine } from '#contract/time-machine.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let ada: string
beforeEach(async () => {
  server = await startTestServer()
  ada = await server.signUp('Ada')
})
afterEach(() => server.close())

async function ask<Answer>(method: string, path: string, token: string, body?: unknown) {
  const reply = await server.call(method, `/api/v1/${path}`, { token, body })
  return { status: reply.status, answer: (await reply.json()) as Answer }
}
const create = async (path: string, token: string, body: unknown): Promise<string> =>
  (await ask<{ id: string }>('POST', path, token, body)).answer.id
const createChat = (token: string, title: string, more: object = {}) =>
  create('chats/new', token, {
    chat: {
      title,
      history: {
        currentId: 'a',
        messages: { a: { id: 'a', role: 'user', content: `Text of ${title}`, childrenIds: [] } },
      },
    },
    ...more,
  })
const take = async () => (await ask<SnapshotLine>('POST', 'snapshots/', ada)).answer
const contents = async (id: string, token = ada) =>
  (await ask<SnapshotContents>('GET', `snapshots/${id}/contents`, token)).answer
const bringBack = (id: string, token: string, body: { kind: string; id: string }) =>
  ask<{ kind: string; id: string; detail: string }>(
    'POST',
    `snapshots/${id}/bring-back`,
    token,
    body,
  )

describe('from a snapshot people bring back', () => {
  it('a chat as a copy, while the chat as it is now stays', async () => {
    const chat = await createChat(ada, 'Trip')
    const { id } = await take()
    await ask('POST', `chats/${chat}`, ada, { chat: { title: 'Ruined' } })
    const before = await ask<{ chat: { title: string } }>(
      'GET',
      `snapshots/${id}/chats/${chat}`,
      ada,
    )
    expect(before.answer.chat.title).toBe('Trip')
    const { answer } = await bringBack(id, ada, { kind: 'chat', id: chat })
    expect(answer.id).not.toBe(chat)
    const copy = await ask<{ chat: unknown; share_id: null }>('GET', `chats/${answer.id}`, ada)
    expect(copy.answer).toMatchObject({
      share_id: null,
      chat: { title: 'Trip', history: { messages: { a: { content: 'Text of Trip' } } } },
    })
    const now = await ask<{ chat: { title: string } }>('GET', `chats/${chat}`, ada)
    expect(now.answer.chat.title).toBe('Ruined')
  })

  it('a folder with the folders and chats in it', async () => {
    const outer = await create('folders/', ada, { name: 'Work' })
    const inner = await create('folders/', ada, { name: 'Plans', parent_id: outer })
    await createChat(ada, 'Plan', { folder_id: inner })
    const { id } = await take()
    const { answer } = await bringBack(id, ada, { kind: 'folder', id: outer })
    const folders = await ask<{ id: string; name: string; parent_id: string | null }[]>(
      'GET',
      'folders/',
      ada,
    )
    const copy = folders.answer.find((folder) => folder.id === answer.id)!
    expect(copy).toMatchObject({ name: 'Work (2)', parent_id: null })
    const inside = folders.answer.find((folder) => folder.parent_id === copy.id)!
    expect(inside).toMatchObject({ name: 'Plans', chat_count: 1 })
  })

  it('notes and prompts that are deleted by now, for themselves alone', async () => {
    const grants = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    const note = await create('notes/create', ada, {
      title: 'List',
      data: { content: { md: 'Tent' } },
      access_grants: grants,
    })
    const prompt = await create('prompts/create', ada, {
      command: '/sum',
      name: 'Sum up',
      content: 'Sum up {{text}}',
    })
    const { id } = await take()
    await ask('DELETE', `notes/${note}/delete`, ada)
    expect((await contents(id)).notes).toMatchObject([{ id: note, state: 'gone' }])
    expect((await contents(id)).prompts).toMatchObject([{ id: prompt, state: 'same' }])
    const notes = await bringBack(id, ada, { kind: 'note', id: note })
    expect((await ask('GET', `notes/${notes.answer.id}`, ada)).answer).toMatchObject({
      title: 'List',
      data: { content: { md: 'Tent' } },
      access_grants: [],
    })
    const prompts = await bringBack(id, ada, { kind: 'prompt', id: prompt })
    expect((await ask('GET', `prompts/id/${prompts.answer.id}`, ada)).answer).toMatchObject({
      command: '/sum-2',
      content: 'Sum up {{text}}',
    })
  })
})

describe('a snapshot', () => {
  it('shows everybody their own things alone, administrators too', async () => {
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const bob = await server.signUp('Bob')
    const own = await createChat(bob, 'Private')
    const { id } = await take()
    expect((await contents(id, bob)).chats).toMatchObject([{ id: own, title: 'Private' }])
    expect((await contents(id)).chats).toEqual([])
    expect((await ask('GET', `snapshots/${id}/chats/${own}`, ada)).status).toBe(404)
    expect((await bringBack(id, ada, { kind: 'chat', id: own })).status).toBe(404)
    const list = await ask<{ snapshots: SnapshotLine[] }>('GET', 'snapshots/', bob)
    expect(list.answer).toMatchObject({ stored: null, snapshots: [{ id, bytes: null }] })
    expect((await ask('POST', 'snapshots/', bob)).status).toBe(401)
  })

  it('that is damaged says so in a sentence, and the present stays as it is', async () => {
    const chat = await createChat(ada, 'Kept')
    const { id } = await take()
    const blocks = path.join(server.dataDir, 'snapshots/blocks')
    for (const shelf of readdirSync(blocks))
      for (const name of readdirSync(path.join(blocks, shelf)))
        writeFileSync(path.join(blocks, shelf, name), 'no block')
    const { status, answer } = await bringBack(id, ada, { kind: 'chat', id: chat })
    expect(status).toBe(409)
    expect(answer.detail).toMatch(/^This snapshot is damaged: .*choose another one\.$/)
    expect((await ask('GET', `chats/${chat}`, ada)).status).toBe(200)
    expect((await bringBack('none', ada, { kind: 'chat', id: chat })).status).toBe(404)
  })

  it('is made and opened without holding up the others', async () => {
    const { storage } = server.context
    for (let number = 0; number < 40; number += 1) await createChat(ada, `Long ${number}`)
    storage.sqlite.exec('create table filler (bytes blob)')
    const fill = storage.sqlite.prepare('insert into filler values (randomblob(1000000))')
    for (let count = 0; count < 30; count += 1) fill.run()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const { id, bytes } = await take()
    expect((await contents(id)).chats).toHaveLength(40)
    delay.disable()
    expect(bytes).toBeGreaterThan(30_000_000)
    // Far above the 50 ms of a quiet machine, far below what doing it in one go would take.
    expect(delay.max / 1e6).toBeLessThan(400)
  })
})
