import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let ada: string
let snapshot: string

const all = Object.values(endpoints).flatMap((domain) => Object.values(domain)) as AnyEndpoint[]
const NO_PART = 'This is not part of a snapshot. Leave the snapshot to see it.'
const addressOf = ({ path }: AnyEndpoint): string => path.replace(/:\w+|\*\w*/g, 'any')

async function ask<Answer = { id: string; detail: string }>(
  method: string,
  path: string,
  { token = ada, body }: { token?: string; body?: unknown } = {},
) {
  const reply = await server.call(method, path, { token, body })
  const text = await reply.text()
  return { status: reply.status, text, answer: (text && JSON.parse(text)) as Answer }
}
const create = async (path: string, body?: unknown, token = ada): Promise<string> =>
  (await ask('POST', `/api/v1/${path}`, { body, token })).answer.id
const inSnapshot = (path: string): string => `/at/${snapshot}${path}`

/**
 * Returns the rows of all tables, except the counts of sign-ins. These, and when a user was last
 * active, are stored later, by earlier calls.
 */
function readTables(): Record<string, unknown[]> {
  const { sqlite } = server.context.storage
  const names = sqlite
    .prepare("select name from sqlite_schema where type = 'table' and sql like 'create table%'")
    .pluck()
    .all() as string[]
  const rowsOf = (name: string): unknown[] =>
    sqlite
      .prepare<[], Record<string, unknown>>(`select * from "${name}"`)
      .all()
      .map((row) => ({ ...row, last_active_at: null }))
  return Object.fromEntries(
    names.filter((name) => name !== 'throttle').map((name) => [name, rowsOf(name)]),
  )
}

beforeEach(async () => {
  server = await startTestServer()
  ada = await server.signUp('Ada')
})
afterEach(() => server.close())

describe('looking at a snapshot', () => {
  it('shows a chat, a note, a prompt, a skill, a calendar and an event as they were, by their own addresses', async () => {
    const chat = await create('chats/new', { chat: { title: 'Trip' } })
    const note = await create('notes/create', { title: 'List', data: { content: { md: 'Tent' } } })
    const prompt = await create('prompts/create', { command: '/sum', name: 'Sum', content: 'Old' })
    const skill = await create('skills/create', { id: 'letters', name: 'Letters', content: 'Old' })
    const calendar = await create('calendars/create', { name: 'Trips', color: '#ff0000' })
    const event = await create('calendars/events/create', {
      calendar_id: calendar,
      title: 'Train',
      start_at: 1.9e18,
      meta: { reminder_minutes: 15 },
    })
    snapshot = await create('snapshots/')
    await create(`calendars/events/${event}/update`, { title: 'Missed' })
    await ask('DELETE', `/api/v1/calendars/${calendar}/delete`)
    await create(`chats/${chat}`, { chat: { title: 'Ruined' } })
    await ask('DELETE', `/api/v1/notes/${note}/delete`)
    await create(`skills/id/${skill}/update`, { content: 'New' })
    const read = async (path: string) => (await ask(`GET`, inSnapshot(`/api/v1/${path}`))).answer
    expect(await read(`chats/${chat}`)).toMatchObject({ title: 'Trip' })
    expect(await read('chats/')).toMatchObject([{ id: chat, title: 'Trip' }])
    expect(await read('chats/?page=2')).toEqual([])
    expect(await read(`notes/${note}`)).toMatchObject({ data: { content: { md: 'Tent' } } })
    expect(await read('notes/')).toMatchObject([{ id: note }])
    expect(await read(`prompts/id/${prompt}`)).toMatchObject({ content: 'Old' })
    expect(await read('prompts/')).toMatchObject([{ id: prompt }])
    expect(await read(`skills/id/${skill}`)).toMatchObject({ content: 'Old' })
    expect(await read('skills/')).toMatchObject([{ id: skill }])
    expect(await read(`calendars/${calendar}`)).toMatchObject({
      name: 'Trips',
      color: '#ff0000',
      write_access: false,
    })
    const train = await read(`calendars/events/${event}`)
    expect(train).toMatchObject({ title: 'Train', start_at: 1.9e18, attendees: [] })
    expect(train).not.toHaveProperty('remind_at')
    expect((await ask('GET', `/api/v1/chats/${chat}`)).answer).toMatchObject({ title: 'Ruined' })
  })

  it('shows nobody what belongs to somebody else, not even to administrators or by a share', async () => {
    await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const bob = await server.signUp('Bob')
    const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    const note = await create(
      'notes/create',
      { title: 'Of Bob', data: { content: { md: 'Old' } }, access_grants: everybody },
      bob,
    )
    const chat = await create('chats/new', { chat: { title: 'Of Bob' } }, bob)
    const [calendar] = (await ask<{ id: string }[]>('GET', '/api/v1/calendars/', { token: bob }))
      .answer
    await create(`calendars/${calendar!.id}/update`, { access_grants: everybody }, bob)
    const event = await create(
      'calendars/events/create',
      { calendar_id: calendar!.id, title: 'Of Bob', start_at: 1.9e18 },
      bob,
    )
    snapshot = await create('snapshots/')
    for (const path of [`calendars/${calendar!.id}`, `calendars/events/${event}`]) {
      expect((await ask('GET', `/api/v1/${path}`)).status).toBe(200)
      expect((await ask('GET', inSnapshot(`/api/v1/${path}`))).status).toBe(404)
      expect((await ask('GET', inSnapshot(`/api/v1/${path}`), { token: bob })).status).toBe(200)
    }
    expect((await ask('GET', `/api/v1/notes/${note}`)).status).toBe(200)
    expect((await ask('GET', inSnapshot(`/api/v1/notes/${note}`))).status).toBe(404)
    expect((await ask('GET', inSnapshot('/api/v1/notes/'))).answer).toEqual([])
    expect((await ask('GET', inSnapshot(`/api/v1/chats/${chat}`))).status).toBe(404)
    expect((await ask('GET', inSnapshot(`/api/v1/chats/${chat}`), { token: '' })).status).toBe(401)
  })

  it('refuses every call that could write, whatever it asks for', async () => {
    snapshot = await create('snapshots/')
    const before = readTables()
    expect(Object.keys(before).length).toBeGreaterThan(30)
    const writing = all.filter(({ method }) => method !== 'GET')
    expect(writing.length).toBeGreaterThan(200)
    for (const endpoint of writing) {
      const path = inSnapshot(addressOf(endpoint))
      const { status, answer } = await ask(endpoint.method, path, { body: {} })
      expect({ path, status, detail: answer.detail }).toEqual({
        path,
        status: 403,
        detail: 'A snapshot can only be read. Bring things back to change them.',
      })
    }
    for (const path of [
      '//api/v1/chats/new',
      '/x/../api/v1/chats/new',
      '/at/other/api/v1/notes/create',
    ])
      expect((await ask('POST', inSnapshot(path), { body: {} })).status).toBe(403)
    expect(readTables()).toEqual(before)
  })

  it('says of everything else that it is no part of a snapshot', async () => {
    snapshot = await create('snapshots/')
    const answered: string[] = []
    for (const endpoint of all.filter(({ method }) => method === 'GET')) {
      const { status, answer } = await ask('GET', inSnapshot(addressOf(endpoint)))
      if (status === 404 && answer.detail === NO_PART) continue
      answered.push(endpoint.id)
    }
    expect(answered.toSorted()).toEqual([
      'auths.session',
      'calendars.get',
      'calendars.getEvent',
      'chats.get',
      'chats.list',
      'files.content',
      'notes.get',
      'notes.list',
      'prompts.get',
      'prompts.list',
      'skills.get',
      'skills.list',
      'system.config',
      'system.health',
      'system.version',
      'timeMachine.chat',
      'timeMachine.contents',
      'timeMachine.list',
      'users.settings',
    ])
  })

  it('opens no socket, leads to the address with its slash, and says when the snapshot is gone', async () => {
    snapshot = await create('snapshots/')
    const { port, host } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `GET ${inSnapshot('/ws')} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    const [head] = (await Array.fromAsync(socket.setEncoding('utf8'))) as string[]
    expect(head).toMatch(/^HTTP\/1\.1 404 /)
    const bare = await fetch(`${server.url}/at/${snapshot}`, { redirect: 'manual' })
    expect(bare.status).toBe(307)
    expect(new URL(bare.headers.get('location')!, bare.url).pathname).toBe(`/at/${snapshot}/`)
    const gone = await ask('GET', '/at/none/api/v1/chats/any')
    expect(gone.status).toBe(404)
    expect(gone.answer.detail).not.toBe(NO_PART)
  })
})
