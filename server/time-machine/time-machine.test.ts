import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
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
  ask<{ kind: string; id: string; detail: string; files: number; missing_files: number }>(
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

it('skills come back from a snapshot with their files, under an id and a name that are free', async () => {
  const skill = await create('skills/create', ada, {
    id: 'letters',
    name: 'Letters',
    content: 'Be brief.',
    access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  })
  const file = { path: 'a/form.md', content: Buffer.from('Date').toString('base64') }
  await ask('POST', `skills/id/${skill}/files`, ada, file)
  const { id } = await take()
  await ask('POST', `skills/id/${skill}/update`, ada, { content: 'Be long.' })
  expect((await contents(id)).skills).toMatchObject([{ id: skill, title: 'Letters' }])
  const back = await bringBack(id, ada, { kind: 'skill', id: skill })
  expect(back.answer.id).toBe('letters-2')
  expect((await ask('GET', 'skills/id/letters-2', ada)).answer).toMatchObject({
    name: 'Letters 2',
    content: 'Be brief.',
    access_grants: [],
    files: [{ path: 'a/form.md', size: 4 }],
  })
  await ask('DELETE', `skills/id/${skill}/delete`, ada)
  const again = await bringBack(id, ada, { kind: 'skill', id: skill })
  expect(again.answer.id).toBe('letters')
})

it('calendars and single events come back from a snapshot, for their owner alone and without invitations', async () => {
  await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
  const bob = await server.signUp('Bob')
  const bobId = (await ask<{ id: string }>('GET', 'auths/', bob)).answer.id
  type Event = { id: string; title: string; calendar_id: string; rrule: string; attendees: [] }
  const eventsIn = async (calendar: string, token = ada): Promise<Event[]> => {
    const found = await ask<{ items: Event[] }>('GET', 'calendars/events/search', token)
    return found.answer.items.filter((each) => each.calendar_id === calendar)
  }
  const calendars = await ask<{ id: string; is_default: boolean }[]>('GET', 'calendars/', ada)
  const first = calendars.answer.find((each) => each.is_default)!.id
  const trips = await create('calendars/create', ada, {
    name: 'Trips',
    color: '#10b981',
    access_grants: [{ principal_type: 'user', principal_id: bobId, permission: 'write' }],
  })
  const event = { start_at: 1.9e18, end_at: 1.9e18, meta: { reminder_minutes: 5 } }
  const train = await create('calendars/events/create', ada, {
    ...event,
    calendar_id: trips,
    title: 'Train',
    rrule: 'RRULE:FREQ=WEEKLY',
    attendees: [{ user_id: bobId }],
  })
  // Added by Bob; it belongs to the calendar of Ada.
  await create('calendars/events/create', bob, { ...event, calendar_id: trips, title: 'Ferry' })
  const { id } = await take()
  await ask('POST', `calendars/events/${train}/update`, ada, { title: 'Bus' })
  const before = await contents(id)
  const byTitle = new Map(before.events.map((each) => [each.title, each]))
  expect(byTitle.get('Train')).toMatchObject({ id: train, state: 'changed', calendar_id: trips })
  expect(byTitle.get('Ferry')).toMatchObject({ state: 'same' })
  expect((await contents(id, bob)).events).toEqual([])
  for (const [kind, wanted] of [
    ['calendar', trips],
    ['event', train],
  ] as const)
    expect((await bringBack(id, bob, { kind, id: wanted })).status).toBe(404)

  const beside = await bringBack(id, ada, { kind: 'event', id: train })
  expect((await eventsIn(trips)).find((each) => each.id === beside.answer.id)).toMatchObject({
    title: 'Train',
    rrule: 'RRULE:FREQ=WEEKLY',
    attendees: [],
  })
  await ask('DELETE', `calendars/${trips}/delete`, ada)
  expect((await contents(id)).calendars).toMatchObject([
    { id: first },
    { id: trips, state: 'gone' },
  ])
  const alone = await bringBack(id, ada, { kind: 'event', id: train })
  expect(await eventsIn(first)).toMatchObject([{ id: alone.answer.id, title: 'Train' }])
  const { answer: back } = await bringBack(id, ada, { kind: 'calendar', id: trips })
  expect((await ask('GET', `calendars/${back.id}`, ada)).answer).toMatchObject({
    name: 'Trips',
    color: '#10b981',
    is_default: false,
    access_grants: [],
  })
  const titles = (await eventsIn(back.id)).map(({ title }) => title)
  expect(titles.toSorted()).toEqual(['Ferry', 'Train'])
  const due = server.context.storage.sqlite
    .prepare('select count(*) from calendar_event where calendar_id = ? and remind_at is not null')
    .pluck()
    .get(back.id)
  expect(due).toBe(2)
  await server.context.settings.update({ ENABLE_CALENDAR: false })
  expect((await bringBack(id, ada, { kind: 'event', id: train })).status).toBe(403)
})

describe('from a snapshot files come back with what refers to them', () => {
  const upload = async (token: string, name: string, text: string): Promise<string> => {
    const form = new FormData()
    form.append('file', new Blob([text], { type: 'text/plain' }), name)
    const reply = await fetch(`${server.url}/api/v1/files/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    })
    return ((await reply.json()) as { id: string }).id
  }
  const read = (token: string, id: string) =>
    server.call('GET', `/api/v1/files/${id}/content`, { token })
  const withFile = (file: string) => ({
    chat: {
      title: 'Plan',
      history: {
        currentId: 'a',
        messages: {
          a: {
            id: 'a',
            role: 'user',
            content: `![plan](/api/v1/files/${file}/content)`,
            childrenIds: [],
            files: [{ type: 'file', id: file, name: 'plan.txt', url: file }],
          },
        },
      },
    },
  })
  type Copy = {
    chat: {
      history: { messages: { a: { content: string; files: { id: string; url: string }[] } } }
    }
  }
  const brought = async (token: string, id: string) =>
    (await ask<Copy>('GET', `chats/${id}`, token)).answer.chat.history.messages.a

  it('where they are gone, as new files of the person', async () => {
    const file = await upload(ada, 'plan.txt', 'All of the plan')
    const chat = await create('chats/new', ada, withFile(file))
    const { id } = await take()
    await ask('DELETE', `files/${file}`, ada)
    expect((await read(ada, file)).status).toBe(404)
    const { answer } = await bringBack(id, ada, { kind: 'chat', id: chat })
    expect(answer).toMatchObject({ files: 1, missing_files: 0 })
    const { content, files } = await brought(ada, answer.id)
    expect(files[0]!.id).not.toBe(file)
    expect(files[0]).toMatchObject({ url: files[0]!.id })
    expect(content).toBe(`![plan](/api/v1/files/${files[0]!.id}/content)`)
    expect(await (await read(ada, files[0]!.id)).text()).toBe('All of the plan')
  })

  it('once where a folder has them in several places', async () => {
    const file = await upload(ada, 'plan.txt', 'Shared by two')
    const folder = await create('folders/', ada, { name: 'Work' })
    for (let count = 0; count < 2; count += 1)
      await create('chats/new', ada, { ...withFile(file), folder_id: folder })
    const { id } = await take()
    await ask('DELETE', `files/${file}`, ada)
    const { answer } = await bringBack(id, ada, { kind: 'folder', id: folder })
    expect(answer).toMatchObject({ files: 1, missing_files: 0 })
  })

  it('and stay as they are where they are still there', async () => {
    const file = await upload(ada, 'plan.txt', 'Still here')
    const chat = await create('chats/new', ada, withFile(file))
    const { id } = await take()
    const { answer } = await bringBack(id, ada, { kind: 'chat', id: chat })
    expect(answer).toMatchObject({ files: 0, missing_files: 0 })
    expect((await brought(ada, answer.id)).files[0]!.id).toBe(file)
  })

  it('unless their bytes are damaged, are those of somebody else or may not be uploaded', async () => {
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const bob = await server.signUp('Bob')
    const bobs = await upload(bob, 'plan.txt', 'Of Bob')
    const bobChat = await create('chats/new', bob, withFile(bobs))
    const file = await upload(ada, 'plan.txt', 'Undamaged')
    const chat = await create('chats/new', ada, withFile(file))
    const stolen = await create('chats/new', ada, {
      chat: {
        title: 'Address of another one',
        history: {
          currentId: 'a',
          messages: {
            a: { id: 'a', role: 'user', content: `/api/v1/files/${bobs}/content`, childrenIds: [] },
          },
        },
      },
    })
    const { id } = await take()
    await ask('DELETE', `files/${file}`, ada)
    await ask('DELETE', `files/${bobs}`, bob)
    const foreign = await bringBack(id, ada, { kind: 'chat', id: stolen })
    expect(foreign.answer).toMatchObject({ files: 0, missing_files: 0 })
    const uploads = path.join(server.dataDir, 'snapshots/uploads')
    for (const shelf of readdirSync(uploads))
      for (const name of readdirSync(path.join(uploads, shelf)))
        if (readFileSync(path.join(uploads, shelf, name), 'utf8') === 'Undamaged')
          writeFileSync(path.join(uploads, shelf, name), 'Damaged!!')
    const damaged = await bringBack(id, ada, { kind: 'chat', id: chat })
    expect(damaged.answer).toMatchObject({ files: 0, missing_files: 1 })
    const { chat: chatRights } = (
      await ask<{ chat: Record<string, boolean> }>('GET', 'users/default/permissions', ada)
    ).answer
    await ask('POST', 'users/default/permissions', ada, {
      chat: { ...chatRights, file_upload: false },
    })
    const refused = await bringBack(id, bob, { kind: 'chat', id: bobChat })
    expect(refused).toMatchObject({ status: 200, answer: { files: 0, missing_files: 1 } })
  })
})

it('Several people who bring back the same prompt and folder at once get one of their own each', async () => {
  const prompt = await create('prompts/create', ada, {
    command: '/sum',
    name: 'Sum up',
    content: 'Sum up {{text}}',
  })
  const folder = await create('folders/', ada, { name: 'Work' })
  const { id } = await take()
  const calls = [1, 2, 3].flatMap(() => [
    bringBack(id, ada, { kind: 'prompt', id: prompt }),
    bringBack(id, ada, { kind: 'folder', id: folder }),
  ])
  const replies = await Promise.all(calls)
  expect(replies.map(({ status }) => status)).toEqual(calls.map(() => 200))
  expect(new Set(replies.map(({ answer }) => answer.id)).size).toBe(calls.length)
  const prompts = await ask<{ command: string }[]>('GET', 'prompts/', ada)
  expect(new Set(prompts.answer.map(({ command }) => command))).toEqual(
    new Set(['/sum', '/sum-2', '/sum-3', '/sum-4']),
  )
  const folders = await ask<{ name: string }[]>('GET', 'folders/', ada)
  expect(new Set(folders.answer.map(({ name }) => name))).toEqual(
    new Set(['Work', 'Work (2)', 'Work (3)', 'Work (4)']),
  )
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
    let usage = process.threadCpuUsage()
    let longest = 0
    // Processor time of this thread between two turns, which other processes do not affect.
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(usage)
      longest = Math.max(longest, (user + system) / 1000)
      usage = process.threadCpuUsage()
    }, 1)
    onTestFinished(() => clearInterval(timer))
    const { id, bytes } = await take()
    expect((await contents(id)).chats).toHaveLength(40)
    expect(bytes).toBeGreaterThan(30_000_000)
    expect(longest).toBeLessThan(100)
  })
})

it('administrators delete a snapshot, members do not', async () => {
  await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
  const { id } = await take()
  const kept = await take()
  const eve = await server.signUp('Eve')
  expect((await ask('DELETE', `snapshots/${id}`, eve)).status).toBe(401)
  expect(await ask('DELETE', `snapshots/${id}`, ada)).toEqual({ status: 200, answer: true })
  const { answer } = await ask<{ snapshots: SnapshotLine[] }>('GET', 'snapshots/', ada)
  expect(answer.snapshots.map((snapshot) => snapshot.id)).toEqual([kept.id])
  expect((await ask('GET', `snapshots/${id}/contents`, ada)).status).toBe(404)
  expect((await ask('DELETE', `snapshots/${id}`, ada)).status).toBe(404)
})
