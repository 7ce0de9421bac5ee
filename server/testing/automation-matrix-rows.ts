import type { World } from './create-world.ts'
import { owned, user, type MatrixRow } from './matrix-row.ts'

const BODY = {
  name: 'Matrix',
  data: { prompt: 'Hello', model_id: 'guide', rrule: 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY' },
}

const created = async ({ server, tokens }: World): Promise<string> => {
  const reply = await server.call('POST', '/api/v1/automations/create', {
    token: tokens.owner,
    body: BODY,
  })
  return ((await reply.json()) as { id: string }).id
}
const automation = async (world: World) => ({ automation_id: await created(world) })

/**
 * Calls that run, call or delete an automation behave differently the second time;
 * `automations.test.ts` tests those.
 */
const missing = () => ({ automation_id: 'none', token: 'none' })
/** Administrators may read and change those of other users. */
const shown = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(automation, { others: { other: 404 }, ...row })

export const automationRows: Readonly<Record<string, MatrixRow>> = {
  'automations.list': user(),
  'automations.create': user(200, BODY),
  'automations.preview': user(200, { rrule: BODY.data.rrule }),
  'automations.receive': { auth: 'none', status: 404, params: missing, body: () => ({}) },
  'automations.get': shown(),
  'automations.update': shown({ body: () => BODY }),
  'automations.toggle': shown(),
  'automations.run': owned(missing, { status: 404 }),
  'automations.cancel': owned(automation, { status: 404 }),
  'automations.runs': shown(),
  'automations.createAddress': shown(),
  'automations.removeAddress': shown(),
  'automations.remove': owned(missing, { status: 404 }),
}
