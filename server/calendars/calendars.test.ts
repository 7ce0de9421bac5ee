import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { REMOVED_AT_ONCE } from './stored-calendars.ts'
import { EventStore } from './store.ts'

const ROOT = '/api/v1/calendars'
const NANOSECONDS = 1e6
const SYSTEM = '__scheduled_tasks__'

let test: Conversation
let ann: string
let bob: string
let bobId: string

beforeEach(async () => {
  test = await startConversation({
    environment: {
      USER_PERMISSIONS_FEATURES_AUTOMATIONS: 'true',
      USER_PERMISSIONS_ACCESS_GRANTS_ALLOW_USERS: 'true',
    },
  })
  ann = await test.addUser('Ann')
  bob = await test.addUser('Bob')
  bobId = (await ask('GET ../auths/', undefined, bob)).body.id
})
afterEach(() => test.close())

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
async function ask(call: string, body?: unknown, token: string = ann): Promise<any> {
  const [method, path] = call.split(' ')
  const target = path!.startsWith('../') ? `/api/v1/${path!.slice(3)}` : `${ROOT}${path}`
  const reply = await test.server.call(method!, target, {
    token,
    ...(body !== undefined && { body }),
  })
  return { status: reply.status, body: await reply.json() }
}

const at = (text: string): number => Date.parse(text) * NANOSECONDS
const show = (nanoseconds: number): string => new Date(nanoseconds / NANOSECONDS).toISOString()

async function personal(token = ann): Promise<string> {
  return (await ask('GET /', undefined, token)).body[0].id
}

async function add(fields: object, token = ann): Promise<{ id: string }> {
  const body = {
    calendar_id: await personal(token),
    title: 'Meeting',
    start_at: at('2030-01-07T09:00:00Z'),
    end_at: at('2030-01-07T10:00:00Z'),
    ...fields,
  }
  const reply = await ask('POST /events/create', body, token)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

async function between(start: string, end: string, token = ann, ids?: string) {
  const query = new URLSearchParams({ start, end, ...(ids !== undefined && { calendar_ids: ids }) })
  const { status, body } = await ask(`GET /events?${query.toString()}`, undefined, token)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as {
    id: string
    instance_id: string | null
    title: string
    start_at: number
    end_at: number | null
    meta: Record<string, unknown>
  }[]
}

const grant = (id: string, permission: string) => ({
  principal_type: 'user',
  principal_id: id,
  permission,
})

describe('calendars', () => {
  it('a first one is made for whoever has none, once, and that of automations comes last', async () => {
    const both = await Promise.all([ask('GET /'), ask('GET /')])
    for (const { body } of both) {
      expect(body).toHaveLength(2)
      expect(body[0]).toMatchObject({
        name: 'Personal',
        color: '#3b82f6',
        is_default: true,
        is_system: false,
      })
      expect(body[1]).toMatchObject({ id: SYSTEM, is_system: true, color: '#8b5cf6' })
    }
    expect(both[0].body[0].id).toBe(both[1].body[0].id)
    await test.server.context.groups.updateDefaultPermissions({ features: { automations: false } })
    expect((await ask('GET /')).body).toHaveLength(1)
  })

  it('are made, changed, made the default and deleted; the default one stays', async () => {
    const first = await personal()
    const { body: work } = await ask('POST /create', { name: 'Work', color: '#ff0000' })
    expect(work).toMatchObject({ name: 'Work', is_default: false, data: null, access_grants: [] })
    expect((await ask(`POST /${work.id}/update`, { meta: { a: 1 } })).body).toMatchObject({
      name: 'Work',
      color: '#ff0000',
      meta: { a: 1 },
    })
    expect((await ask(`DELETE /${first}/delete`)).status).toBe(400)
    expect((await ask(`POST /${work.id}/default`, undefined, test.token)).status).toBe(404)
    expect((await ask(`POST /${work.id}/default`)).body.is_default).toBe(true)
    const { id } = await add({ calendar_id: first })
    expect((await ask(`DELETE /${first}/delete`)).body).toEqual({ status: true })
    expect((await ask(`GET /events/${id}`)).status).toBe(404)
    expect((await ask('GET /')).body.map((each: { name: string }) => each.name)).toEqual([
      'Work',
      'Scheduled Tasks',
    ])
  })

  it('are shared to be read or written, and with everybody by whoever may', async () => {
    const shared = await personal()
    const { id } = await add({ description: 'Secret plans' })
    expect((await ask(`GET /${shared}`, undefined, bob)).status).toBe(404)
    expect((await ask(`GET /events/${id}`, undefined, bob)).status).toBe(404)
    await ask(`POST /${shared}/update`, {
      access_grants: [grant(bobId, 'read'), grant('*', 'read')],
    })
    // Without the permission to share with everyone, that grant is left out.
    expect((await ask(`GET /${shared}`)).body.access_grants).toHaveLength(1)
    expect(
      (await ask('GET /', undefined, bob)).body.map(({ id: each }: { id: string }) => each),
    ).toEqual([await personal(bob), shared, SYSTEM])
    expect((await ask(`GET /${shared}`, undefined, bob)).body).toMatchObject({
      write_access: false,
      access_grants: [],
    })
    expect(await between('2030-01-01', '2030-02-01', bob)).toMatchObject([{ id }])
    const change = { title: 'Changed' }
    expect((await ask(`POST /events/${id}/update`, change, bob)).status).toBe(403)
    expect((await ask(`DELETE /events/${id}/delete`, undefined, bob)).status).toBe(403)
    expect(
      (await ask('POST /events/create', { calendar_id: shared, title: 'x', start_at: 1e18 }, bob))
        .status,
    ).toBe(403)
    await ask(`POST /${shared}/update`, { access_grants: [grant(bobId, 'write')] })
    expect((await ask(`POST /events/${id}/update`, change, bob)).body.title).toBe('Changed')
    // Write access does not include deciding who else has access.
    const more = { access_grants: [grant(bobId, 'write'), grant('*', 'read')] }
    expect((await ask(`POST /${shared}/update`, more, bob)).status).toBe(403)
    expect((await ask(`DELETE /${shared}/delete`, undefined, bob)).status).toBe(403)
    expect((await ask(`POST /events/${id}/update`, change, test.token)).status).toBe(200)
  })

  it('off, and without the permission, answer 403', async () => {
    await test.server.context.groups.updateDefaultPermissions({ features: { calendar: false } })
    expect((await ask('GET /')).status).toBe(403)
    expect((await ask('GET /', undefined, test.token)).status).toBe(200)
    await test.server.context.settings.update({ ENABLE_CALENDAR: false })
    expect((await ask('GET /', undefined, test.token)).status).toBe(403)
  })
})

describe('events', () => {
  it('are shown where they touch the time asked for, not cancelled, not of strangers', async () => {
    const { id } = await add({})
    await add({ title: 'Gone', is_cancelled: true })
    const long = await add({
      title: 'Fair',
      start_at: at('2029-12-20T00:00:00Z'),
      end_at: at('2030-01-03T00:00:00Z'),
      all_day: true,
    })
    const other = await personal(bob)
    await add({ title: 'Of Bob' }, bob)
    const ids = `${await personal()},${other}`
    const found = await between('2030-01-01T00:00:00Z', '2030-02-01T00:00:00Z', ann, ids)
    expect(found.map((each) => each.id)).toEqual([long.id, id])
    expect(await between('2030-01-07T10:00:00Z', '2030-02-01T00:00:00Z')).toEqual([])
    expect(await between('2030-01-07T10:59:00+01:00', '2030-01-08T00:00:00Z')).toHaveLength(1)
    for (const query of ['start=yesterday&end=2030-01-01', 'start=2030-01-01&end=12'])
      expect((await ask(`GET /events?${query}`)).status).toBe(400)
    expect((await ask('GET /events?start=2030-01-01')).status).toBe(422)
  })

  it('are repeated by the clock of their zone, from their start or that of the rule', async () => {
    const weekly = await add({
      start_at: at('2030-03-25T08:00:00Z'),
      end_at: at('2030-03-25T09:30:00Z'),
      rrule: 'RRULE:FREQ=WEEKLY;COUNT=3',
      meta: { timezone: 'Europe/Berlin' },
    })
    const found = await between('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z')
    // Clocks are put forward on the last of March.
    expect(found.map(({ start_at }) => show(start_at))).toEqual([
      '2030-03-25T08:00:00.000Z',
      '2030-04-01T07:00:00.000Z',
      '2030-04-08T07:00:00.000Z',
    ])
    expect(found.map(({ end_at }) => show(end_at!))).toEqual([
      '2030-03-25T09:30:00.000Z',
      '2030-04-01T08:30:00.000Z',
      '2030-04-08T08:30:00.000Z',
    ])
    expect(found[1]!.instance_id).toBe(`${weekly.id}_1901257200000000000`)
    expect(await between('2030-04-01T08:00:00Z', '2030-04-02T00:00:00Z')).toHaveLength(1)
    await ask(`POST /events/${weekly.id}/update`, {
      rrule: 'DTSTART;TZID=America/New_York:20300506T090000\nRRULE:FREQ=DAILY;COUNT=2',
    })
    const own = await between('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z')
    expect(own.map(({ start_at }) => show(start_at))).toEqual([
      '2030-05-06T13:00:00.000Z',
      '2030-05-07T13:00:00.000Z',
    ])
  })

  it('take any rule, and show what can be read of it, within bounds', async () => {
    await add({ rrule: 'every full moon' })
    expect(await between('2030-01-01', '2030-02-01')).toHaveLength(1)
    const { id } = await add({ rrule: 'RRULE:FREQ=MINUTELY', title: 'Flood' })
    const flood = await between('2030-01-01', '2030-02-01')
    expect(flood.filter((each) => each.id === id)).toHaveLength(400)
  })

  it('of all calendars fit into one answer, each calendar with its part of it', async () => {
    const { storage } = test.server.context
    const first = await personal()
    const { body: work } = await ask('POST /create', { name: 'Work' })
    const rrule = 'RRULE:FREQ=HOURLY'
    const { id } = await add({
      calendar_id: first,
      rrule,
      description: 'x'.repeat(20_000),
      title: 'Flood',
    })
    const flood = await storage.get(
      storage.builder.selectFrom('calendar_event').selectAll().where('id', '=', id),
    )
    for (let count = 0; count < 3; count += 1)
      await storage.run(
        storage.builder.insertInto('calendar_event').values({ ...flood!, id: `flood-${count}` }),
      )
    await add({ calendar_id: work.id, title: 'Seen' })
    const events = await between('2030-01-01T00:00:00Z', '2030-03-01T00:00:00Z')
    expect(JSON.stringify(events).length).toBeLessThan(17 * 1024 * 1024)
    expect(events.map(({ title }) => title)).toContain('Seen')
  })

  it('keep what a change does not name, clear what is null, and move', async () => {
    const { id } = await add({ location: 'Hall', color: '#00ff00', data: { a: 1 } })
    const { body: work } = await ask('POST /create', { name: 'Work' })
    const { body } = await ask(`POST /events/${id}/update`, {
      location: null,
      calendar_id: work.id,
      all_day: true,
    })
    expect(body).toMatchObject({
      title: 'Meeting',
      location: null,
      color: '#00ff00',
      data: { a: 1 },
      calendar_id: work.id,
      all_day: true,
    })
    const stray = { calendar_id: await personal(bob) }
    expect((await ask(`POST /events/${id}/update`, stray)).status).toBe(404)
    expect((await ask(`POST /events/${id}/update`, { calendar_id: SYSTEM })).status).toBe(403)
  })

  it('hold no more than so much text besides their own', async () => {
    const long = { text: 'x'.repeat(70_000) }
    const calendar_id = await personal()
    const base = { calendar_id, title: 'Long', start_at: at('2030-01-07T09:00:00Z') }
    for (const more of [
      { data: long },
      { meta: long },
      { attendees: [{ user_id: bobId, meta: long }] },
    ])
      expect((await ask('POST /events/create', { ...base, ...more })).status).toBe(413)
    const { id } = await add({ data: { text: 'x'.repeat(60_000) } })
    expect((await ask(`POST /events/${id}/update`, { meta: long })).status).toBe(413)
    expect((await ask('POST /create', { name: 'Work', data: long })).status).toBe(413)
    expect((await ask(`POST /${calendar_id}/update`, { meta: long })).status).toBe(413)
  })

  it('of a deleted calendar go in many small parts, and those of the default one stay', async () => {
    const { storage } = test.server.context
    await personal()
    const { body: work } = await ask('POST /create', { name: 'Work' })
    const first = await add({ calendar_id: work.id, attendees: [{ user_id: bobId }] })
    const event = await storage.get(
      storage.builder.selectFrom('calendar_event').selectAll().where('id', '=', first.id),
    )
    await storage.transaction(async () => {
      for (let count = 0; count < 1200; count += 1)
        await storage.run(
          storage.builder.insertInto('calendar_event').values({ ...event!, id: `many-${count}` }),
        )
    })
    const kept = await add({})
    const removal = vi.spyOn(EventStore.prototype, 'removeSome')
    onTestFinished(() => removal.mockRestore())
    expect((await ask(`DELETE /${await personal()}/delete`)).status).toBe(400)
    expect(removal).not.toHaveBeenCalled()
    expect((await ask(`DELETE /${work.id}/delete`)).status).toBe(200)
    expect(removal.mock.calls.length).toBeGreaterThan(1200 / REMOVED_AT_ONCE)
    for (const table of ['calendar_event', 'calendar_attendee'] as const) {
      const rows = await storage.all(storage.builder.selectFrom(table).select('id'))
      expect(rows, table).toEqual(table === 'calendar_event' ? [{ id: kept.id }] : [])
    }
  })

  it('invite people, who see the event alone and answer for themselves', async () => {
    const invited = [{ user_id: bobId, status: 'accepted' }, { user_id: 'ghost' }]
    const event = await add({ attendees: invited })
    const { body } = await ask(`GET /events/${event.id}`, undefined, bob)
    expect(body.attendees).toMatchObject([{ user_id: bobId, status: 'pending' }])
    expect(await between('2030-01-01', '2030-02-01', bob)).toMatchObject([{ id: event.id }])
    expect(await ask(`GET /${body.calendar_id}`, undefined, bob)).toMatchObject({
      status: 404,
      body: { detail: 'Calendar not found' },
    })
    expect((await ask('GET /events/search?query=meet', undefined, bob)).body.total).toBe(1)
    const answer = (status: string, token = bob) =>
      ask(`POST /events/${event.id}/rsvp`, { status }, token)
    expect((await answer('tentative')).body).toEqual({ status: true, rsvp: 'tentative' })
    expect((await answer('perhaps')).status).toBe(400)
    expect((await answer('accepted', ann)).status).toBe(404)
    expect((await ask(`POST /events/${event.id}/update`, { title: 'Mine' }, bob)).status).toBe(403)
    const again = await ask(`POST /events/${event.id}/update`, { attendees: invited })
    expect(again.body.attendees).toMatchObject([{ user_id: bobId, status: 'tentative' }])
    await ask(`POST /events/${event.id}/update`, { attendees: [] })
    expect(await ask(`GET /events/${event.id}`, undefined, bob)).toMatchObject({
      status: 404,
      body: { detail: 'Event not found' },
    })
    expect((await ask(`POST /events/${event.id}/update`, { attendees: [{}] })).status).toBe(422)
  })

  it('are found by words of title and description, signs of a pattern meaning themselves', async () => {
    await add({ title: 'Lunch', description: '100% vegetarian' })
    await add({ title: 'Dinner' })
    const titles = async (query: string) =>
      (await ask(`GET /events/search?query=${encodeURIComponent(query)}`)).body.items.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles('lun')).toEqual(['Lunch'])
    expect(await titles('100%')).toEqual(['Lunch'])
    expect(await titles('%')).toEqual(['Lunch'])
    expect(await titles('')).toHaveLength(2)
  })

  it('go with an account; what it put into the calendar of others stays', async () => {
    const shared = await personal()
    await ask(`POST /${shared}/update`, { access_grants: [grant(bobId, 'write')] })
    const kept = await add({ calendar_id: shared, attendees: [{ user_id: bobId }] }, bob)
    const gone = await add({ attendees: [{ user_id: bobId }] }, bob)
    expect((await ask(`DELETE ../users/${bobId}`, undefined, test.token)).status).toBe(200)
    await expect
      .poll(async () => (await ask(`GET /events/${gone.id}`, undefined, test.token)).status)
      .toBe(404)
    expect((await ask(`GET /events/${kept.id}`)).body).toMatchObject({ attendees: [] })
    expect((await ask('GET /events/search')).body.items[0].user).toBeNull()
  })
})

it('automations stand in a calendar of their own: times to come by their rule, past ones by their runs', async () => {
  const data = { prompt: 'What happened?', model_id: 'text', timezone: 'UTC' }
  const rrule = 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY'
  const { body: daily } = await ask('POST ../automations/create', {
    name: 'News',
    data: { ...data, rrule },
  })
  const { body: run } = await ask(`POST ../automations/${daily.id}/run`)
  const week = await between('2030-01-01T00:00:00Z', '2030-01-08T00:00:00Z')
  expect(week).toHaveLength(7)
  expect(week[0]).toMatchObject({
    calendar_id: SYSTEM,
    title: 'News',
    description: 'What happened?',
    meta: { automation_id: daily.id },
    user: null,
    instance_id: `auto_${daily.id}_${at('2030-01-01T09:00:00Z')}`,
  })
  const past = await between(
    new Date(Date.now() - 60_000).toISOString(),
    new Date(Date.now() + 60_000).toISOString(),
  )
  expect(past).toMatchObject([{ title: 'News', meta: { run_id: run.last_run.id } }])
  expect(await between('2030-01-01', '2030-01-08', bob)).toEqual([])
  expect(await between('2030-01-01', '2030-01-08', ann, await personal())).toEqual([])
  await ask(`POST ../automations/${daily.id}/toggle`)
  expect(await between('2030-01-01', '2030-01-08')).toEqual([])
  expect((await ask(`POST /${SYSTEM}/update`, { name: 'Mine' })).status).toBe(403)
})
