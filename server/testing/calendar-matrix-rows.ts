import type { World } from './create-world.ts'
import { owned, user, type MatrixRow } from './matrix-row.ts'

const ROOT = '/api/v1/calendars'
const EVENT = { title: 'Matrix', start_at: 1893488400000000000 }
const YEAR = '?start=2030-01-01T00:00:00Z&end=2031-01-01T00:00:00Z'

async function make({ server, tokens }: World, path: string, body: object): Promise<string> {
  const reply = await server.call('POST', `${ROOT}${path}`, { token: tokens.owner, body })
  return ((await reply.json()) as { id: string }).id
}

const makeCalendar = (world: World): Promise<string> => make(world, '/create', { name: 'Matrix' })
const calendar = async (world: World) => ({ calendar_id: await makeCalendar(world) })
const event = async (world: World) => {
  const calendar_id = await makeCalendar(world)
  return { event_id: await make(world, '/events/create', { ...EVENT, calendar_id }) }
}

/** Administrators may read and change those of other users. */
const shown = (params: MatrixRow['params'], row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(params, { others: { other: 404 }, ...row })
/** Deletions behave differently the second time; `calendars.test.ts` tests those. */
const missing = () => ({ calendar_id: 'none', event_id: 'none' })

export const calendarRows: Readonly<Record<string, MatrixRow>> = {
  'calendars.list': user(),
  'calendars.create': user(200, { name: 'Matrix' }),
  'calendars.events': { ...user(), query: YEAR },
  'calendars.search': user(),
  'calendars.createEvent': user(404, { ...EVENT, calendar_id: 'none' }),
  'calendars.getEvent': shown(event),
  'calendars.updateEvent': shown(event, { body: () => ({ title: 'Changed' }) }),
  'calendars.answer': owned(event, { status: 404, body: () => ({ status: 'accepted' }) }),
  'calendars.removeEvent': owned(missing, { status: 404 }),
  'calendars.get': shown(calendar),
  'calendars.update': shown(calendar, { body: () => ({ name: 'Changed' }) }),
  'calendars.makeDefault': owned(calendar),
  'calendars.remove': owned(missing, { status: 404 }),
}
