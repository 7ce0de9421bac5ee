import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const ROOT = '/api/v1/calendars'
const NANOSECONDS = 1e6

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

const day = (nanoseconds: number): string =>
  new Date(nanoseconds / NANOSECONDS).toISOString().slice(5, 16)

async function personal(token = ann): Promise<string> {
  return (await ask('GET /', undefined, token)).body[0].id
}

async function addSeries(rrule = 'RRULE:FREQ=DAILY;COUNT=5', more: object = {}): Promise<string> {
  const body = {
    calendar_id: await personal(),
    title: 'Standup',
    start_at: at('2030-01-07T09:00:00Z'),
    end_at: at('2030-01-07T09:15:00Z'),
    rrule,
    meta: { timezone: 'Europe/Berlin' },
    ...more,
  }
  return (await ask('POST /events/create', body)).body.id
}

async function shown(token = ann): Promise<string[]> {
  const query = 'start=2030-01-01T00:00:00Z&end=2030-02-01T00:00:00Z'
  const { body } = await ask(`GET /events?${query}`, undefined, token)
  return body.map(({ start_at, title }: { start_at: number; title: string }) =>
    title === 'Standup' ? day(start_at) : `${day(start_at)} ${title}`,
  )
}

const remove = (id: string, time: string, scope = 'this') =>
  ask(`DELETE /events/${id}/delete?instance_at=${at(time)}&scope=${scope}`)
const change = (id: string, time: string, body: object, scope = 'this') =>
  ask(`POST /events/${id}/update`, { ...body, instance_at: at(time), scope })

describe('one time of a series', () => {
  it('is deleted while the others stay, and the last one takes the series with it', async () => {
    const id = await addSeries('RRULE:FREQ=DAILY;COUNT=2')
    expect((await remove(id, '2030-01-08T09:00:00Z')).status).toBe(200)
    expect(await shown()).toEqual(['01-07T09:00'])
    const again = await remove(id, '2030-01-08T09:00:00Z')
    expect(again.status).toBe(400)
    expect(again.body.code ?? again.body.detail).toMatch(/no such time/)
    await remove(id, '2030-01-07T09:00:00Z')
    expect((await ask(`GET /events/${id}`)).status).toBe(404)
  })

  it('is changed as an event of its own, with those invited and their answers', async () => {
    const id = await addSeries(undefined, { attendees: [{ user_id: bobId }] })
    await ask(`POST /events/${id}/rsvp`, { status: 'accepted' }, bob)
    const { body: own } = await change(id, '2030-01-09T09:00:00Z', {
      title: 'Retro',
      start_at: at('2030-01-09T13:00:00Z'),
      rrule: 'RRULE:FREQ=WEEKLY',
    })
    expect(own).toMatchObject({
      title: 'Retro',
      rrule: null,
      end_at: at('2030-01-09T09:15:00Z'),
      meta: { series_id: id, timezone: 'Europe/Berlin' },
      attendees: [{ user_id: bobId, status: 'accepted' }],
    })
    expect(own.id).not.toBe(id)
    const all = ['01-07T09:00', '01-08T09:00', '01-09T13:00 Retro', '01-10T09:00', '01-11T09:00']
    expect(await shown()).toEqual(all)
    expect(await shown(bob)).toEqual(all)
  })

  it('stays left out when the whole series is moved', async () => {
    const id = await addSeries()
    await remove(id, '2030-01-09T09:00:00Z')
    await ask(`POST /events/${id}/update`, { start_at: at('2030-01-07T10:30:00Z') })
    expect(await shown()).toEqual(['01-07T10:30', '01-08T10:30', '01-10T10:30', '01-11T10:30'])
  })

  it('stays left out when somebody in another time zone changes the series', async () => {
    const id = await addSeries()
    await remove(id, '2030-01-09T09:00:00Z')
    const { body } = await ask(`GET /events/${id}`)
    const meta = { ...body.meta, timezone: 'America/New_York' }
    await ask(`POST /events/${id}/update`, { ...body, title: 'Standup', meta })
    expect(await shown()).toEqual(['01-07T09:00', '01-08T09:00', '01-10T09:00', '01-11T09:00'])
  })

  it('is moved with the series by clients that write the start into the rule', async () => {
    const rule = 'DTSTART;TZID=Europe/Berlin:20300107T100000\nRRULE:FREQ=DAILY;COUNT=4'
    const id = await addSeries(rule)
    await remove(id, '2030-01-09T09:00:00Z')
    await ask(`POST /events/${id}/update`, { start_at: at('2030-01-07T10:30:00Z') })
    expect(await shown()).toEqual(['01-07T10:30', '01-08T10:30', '01-10T10:30'])
  })

  it('may be one of many that are left out, which a client sends back with its changes', async () => {
    const id = await addSeries('RRULE:FREQ=DAILY;COUNT=200')
    const stamps = Array.from({ length: 130 }, (_, index) =>
      new Date(Date.UTC(2030, 1, 1 + index)).toISOString().slice(0, 10).replaceAll('-', ''),
    )
    const exceptions = stamps.map((stamp) => `EXDATE:${stamp}T100000`)
    const { storage } = test.server.context
    await storage.run(
      storage.builder
        .updateTable('calendar_event')
        .set({ rrule: ['RRULE:FREQ=DAILY;COUNT=200', ...exceptions].join('\n') })
        .where('id', '=', id),
    )
    const { body } = await ask(`GET /events/${id}`)
    expect((await ask(`POST /events/${id}/update`, { ...body, title: 'Daily' })).status).toBe(200)
  })

  it('follows the clock where it is put forward', async () => {
    const id = await addSeries('RRULE:FREQ=WEEKLY;COUNT=3', {
      start_at: at('2030-03-25T08:00:00Z'),
      end_at: null,
    })
    // Clocks in Berlin are put forward on 31 March: nine o'clock is 07:00Z from then on.
    expect((await remove(id, '2030-04-01T08:00:00Z')).status).toBe(400)
    expect((await remove(id, '2030-04-01T07:00:00Z')).status).toBe(200)
    const { body } = await ask('GET /events?start=2030-03-01T00:00:00Z&end=2030-05-01T00:00:00Z')
    expect(body.map(({ start_at }: { start_at: number }) => day(start_at))).toEqual([
      '03-25T08:00',
      '04-08T07:00',
    ])
  })
})

describe('a time of a series and all later ones', () => {
  it('are deleted, and from the first on that is everything', async () => {
    const id = await addSeries()
    await remove(id, '2030-01-09T09:00:00Z', 'following')
    expect(await shown()).toEqual(['01-07T09:00', '01-08T09:00'])
    await remove(id, '2030-01-07T09:00:00Z', 'following')
    expect((await ask(`GET /events/${id}`)).status).toBe(404)
  })

  it('are a series of their own when they are changed, with as many times as were left', async () => {
    const id = await addSeries()
    await remove(id, '2030-01-08T09:00:00Z')
    await remove(id, '2030-01-10T09:00:00Z')
    const { body: later } = await change(
      id,
      '2030-01-09T09:00:00Z',
      { title: 'Later' },
      'following',
    )
    expect(later.rrule).toContain('COUNT=3')
    expect(await shown()).toEqual(['01-07T09:00', '01-09T09:00 Later', '01-11T09:00 Later'])
  })

  it('keep what is left out when they are moved, and the time zone of their rule', async () => {
    const rule = 'DTSTART;TZID=America/New_York:20300107T090000\nRRULE:FREQ=DAILY'
    const id = await addSeries(rule, { start_at: at('2030-01-07T14:00:00Z'), end_at: null })
    await remove(id, '2030-01-11T14:00:00Z')
    const moved = { start_at: at('2030-01-09T15:00:00Z'), title: 'Later' }
    await change(id, '2030-01-09T14:00:00Z', moved, 'following')
    const times = await shown()
    expect(times.slice(0, 5)).toEqual([
      '01-07T14:00',
      '01-08T14:00',
      '01-09T15:00 Later',
      '01-10T15:00 Later',
      '01-12T15:00 Later',
    ])
    // Clocks in New York are put forward on 10 March, those in Berlin on 31 March.
    const { body } = await ask('GET /events?start=2030-03-20T00:00:00Z&end=2030-03-21T00:00:00Z')
    expect(body.map(({ start_at }: { start_at: number }) => day(start_at))).toEqual(['03-20T14:00'])
  })

  it('are as many as were left for a client that sends the rule back', async () => {
    const id = await addSeries()
    const { body } = await ask(`GET /events/${id}`)
    const changes = { rrule: body.rrule, title: 'Later' }
    await change(id, '2030-01-09T09:00:00Z', changes, 'following')
    expect(await shown()).toEqual([
      '01-07T09:00',
      '01-08T09:00',
      '01-09T09:00 Later',
      '01-10T09:00 Later',
      '01-11T09:00 Later',
    ])
  })

  it('end before a time of the same day where there are several', async () => {
    const id = await addSeries('RRULE:FREQ=HOURLY;INTERVAL=4;COUNT=4')
    await remove(id, '2030-01-07T17:00:00Z', 'following')
    expect(await shown()).toEqual(['01-07T09:00', '01-07T13:00'])
  })
})

it('times are changed by whoever may change the calendar, and a single event has none', async () => {
  const id = await addSeries(undefined, { attendees: [{ user_id: bobId }] })
  const path = `/events/${id}/delete?instance_at=${at('2030-01-08T09:00:00Z')}&scope=this`
  expect((await ask(`DELETE ${path}`, undefined, bob)).status).toBe(403)
  const single = await addSeries(undefined, { rrule: null })
  expect((await remove(single, '2030-01-07T09:00:00Z')).status).toBe(400)
  expect((await remove(id, '2030-01-08T09:00:00Z', 'some')).status).toBe(422)
  expect(await shown()).toHaveLength(6)
})
