import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { Calendars } from './index.ts'

const NANOSECONDS = 1e6
const MINUTE = 60_000

let test: Conversation
let ann: string
let bob: string

beforeEach(async () => {
  test = await startConversation({
    environment: { USER_PERMISSIONS_ACCESS_GRANTS_ALLOW_USERS: 'true' },
  })
  ann = await test.addUser('Ann')
  bob = await test.addUser('Bob')
})
afterEach(() => test.close())

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
async function ask(method: string, path: string, body?: unknown, token = ann): Promise<any> {
  const reply = await test.server.call(method, `/api/v1/${path}`, {
    token,
    ...(body !== undefined && { body }),
  })
  return reply.json()
}

async function add(more: object = {}): Promise<string> {
  const [{ id: calendar }] = await ask('GET', 'calendars/')
  const start = Math.ceil(Date.now() / MINUTE) * MINUTE + 30 * MINUTE
  const event = await ask('POST', 'calendars/events/create', {
    calendar_id: calendar,
    title: 'Standup',
    start_at: start * NANOSECONDS,
    meta: { reminder_minutes: 15 },
    ...more,
  })
  expect(event).not.toHaveProperty('remind_at')
  return event.id
}

const row = async (id: string) =>
  test.server.context.storage.get(
    test.server.context.storage.builder
      .selectFrom('calendar_event')
      .selectAll()
      .where('id', '=', id),
  )
const set = (id: string, changes: object) =>
  test.server.context.storage.run(
    test.server.context.storage.builder
      .updateTable('calendar_event')
      .set(changes)
      .where('id', '=', id),
  )

/** Makes an event due `ago` milliseconds ago. */
async function letCome(id: string, ago = 1000): Promise<void> {
  const now = Date.now()
  await set(id, { start_at: now - ago + 15 * MINUTE, remind_at: now - ago })
}

/** Runs one check by another gateway on the same database. */
async function look(): Promise<void> {
  const { context } = test.server
  const other = new Calendars({ ...context, notices: context.events })
  await other.start()
  await other.close()
}

describe('a reminder', () => {
  it('is told to whoever made the event and has not declined, once with several gateways', async () => {
    const bobId = (await ask('GET', 'auths/', undefined, bob)).id
    const id = await add({ attendees: [{ user_id: bobId }] })
    const sockets = [await test.openSocket(ann), await test.openSocket(bob)]
    expect((await row(id))?.remind_at).toBeGreaterThan(Date.now() + 14 * MINUTE)
    await look()
    await letCome(id)
    await Promise.all([look(), look(), look()])
    for (const socket of sockets) {
      const told = await socket.event('notification')
      expect(told.data.data['content']).toMatch(/^\d\d:\d\d · Standup$/)
    }
    expect((await row(id))?.remind_at).toBeNull()
    await letCome(id)
    await ask('POST', `calendars/events/${id}/rsvp`, { status: 'declined' }, bob)
    const again = await test.openSocket(bob)
    await look()
    test.server.context.events.emit(bobId, {
      chat_id: null,
      message_id: null,
      data: { type: 'notification', data: { type: 'info', content: 'last' } },
    })
    const after = await again.event('notification')
    expect(after.data.data['content']).toBe('last')
  })

  it('is not told to whoever made it once they may no longer see its calendar', async () => {
    const [{ id: calendar }] = await ask('GET', 'calendars/')
    const bobId = (await ask('GET', 'auths/', undefined, bob)).id
    const grants = ['read', 'write'].map((permission) => ({
      principal_type: 'user',
      principal_id: bobId,
      permission,
    }))
    await ask('POST', `calendars/${calendar}/update`, { access_grants: grants })
    const start_at = (Date.now() + 60 * MINUTE) * NANOSECONDS
    const event = { calendar_id: calendar, start_at, meta: { reminder_minutes: 15 } }
    const { id } = await ask('POST', 'calendars/events/create', { ...event, title: 'Lunch' }, bob)
    await ask('POST', `calendars/${calendar}/update`, { access_grants: [] })
    await ask('POST', `calendars/events/${id}/update`, { title: 'Secret' })
    const socket = await test.openSocket(bob)
    await letCome(id)
    await look()
    test.server.context.events.emit(bobId, {
      chat_id: null,
      message_id: null,
      data: { type: 'notification', data: { type: 'info', content: 'last' } },
    })
    expect((await socket.event('notification')).data.data['content']).toBe('last')
  })

  it('is told with however many others are due', async () => {
    const id = await add()
    await letCome(id)
    const { storage } = test.server.context
    const due = (await row(id))!
    for (let count = 0; count < 101; count += 1)
      await storage.run(
        storage.builder
          .insertInto('calendar_event')
          .values({ ...due, id: `due-${count}`, remind_at: due.remind_at! - 1 }),
      )
    await look()
    expect((await row(id))?.remind_at).toBeNull()
  })

  it('of a series is planned again for the next time, and not for one that is left out', async () => {
    const id = await add({ rrule: 'RRULE:FREQ=DAILY;COUNT=3' })
    const first = (await row(id))!
    await ask('DELETE', `calendars/events/${id}/delete?instance_at=${first.start_at * NANOSECONDS}`)
    const second = (await row(id))!
    expect(second.remind_at! - first.remind_at!).toBe(24 * 60 * MINUTE)
  })

  it('of a series follows the time zone of whoever made it, and one with a zone of its own stays', async () => {
    const setZone = (timezone: string) => ask('POST', 'auths/update/timezone', { timezone })
    await setZone('UTC')
    const rrule = 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY'
    const start_at = Date.UTC(2030, 0, 1, 9) * NANOSECONDS
    const id = await add({ rrule, start_at })
    const fixed = await add({
      rrule,
      start_at,
      meta: { reminder_minutes: 15, timezone: 'UTC' },
    })
    const of = async (event: string) => new Date((await row(event))!.remind_at!).toISOString()
    expect(await of(id)).toBe('2030-01-01T08:45:00.000Z')
    await setZone('Asia/Tokyo')
    expect(await of(id)).toBe('2029-12-31T23:45:00.000Z')
    expect(await of(fixed)).toBe('2030-01-01T08:45:00.000Z')
  })

  it('is taken back with its minutes, and with what was missed nobody is troubled', async () => {
    const id = await add()
    await ask('POST', `calendars/events/${id}/update`, { meta: { reminder_minutes: null } })
    expect((await row(id))?.remind_at).toBeNull()
    for (const reminder_minutes of [-1, 1.5, '15', 1e9]) {
      await ask('POST', `calendars/events/${id}/update`, { meta: { reminder_minutes } })
      expect((await row(id))?.remind_at).toBeNull()
    }
    const missed = await add({ title: 'Missed' })
    const socket = await test.openSocket(ann)
    await letCome(missed, 60 * MINUTE)
    await look()
    expect((await row(missed))?.remind_at).toBeNull()
    const soon = await add({ title: 'Soon' })
    await letCome(soon)
    await look()
    expect((await socket.event('notification')).data.data['content']).toContain('Soon')
  })
})
