import type { Call, Caller, HttpCall, Route } from '../../lib/http.ts'
import { aroundCalls, knownFields } from '../../lib/http.ts'
import { isRecord } from '../../lib/is-record.ts'
import { contentRows } from './content-rows.ts'
import type { Told } from './event.ts'
import type { EventName } from './names.ts'
import { peopleRows } from './people-rows.ts'
import type { EndedCall, EventRow } from './row.ts'

/** Maps endpoints to events. */
export const EVENT_ROWS: readonly EventRow[] = [...peopleRows, ...contentRows]

const rowOf = new Map(EVENT_ROWS.map((row) => [row.endpoint.id, row]))

/** Listener for finished calls. */
interface CallListener {
  /**
   * Reports whether there is any subscriber; checked after every call of an endpoint with an event.
   */
  listens(): boolean
  tell(
    event: EventName,
    told: Omit<Told, 'actor'> & { readonly caller: Caller | null; readonly actorId: string | null },
  ): Promise<void>
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {}
const asId = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** A stream reports failure by its status; calls from inside the gateway have no response. */
const hasFailed = (call: Call | HttpCall): boolean =>
  'response' in call && call.response.headersSent && call.response.statusCode >= 400

async function tellOf(
  { event, subject, type, data = {}, isBySubject }: EventRow,
  call: Call,
  result: unknown,
  listener: CallListener,
): Promise<void> {
  const ended: EndedCall = {
    params: asRecord(call.params),
    query: asRecord(call.query),
    body: asRecord(call.body),
    reply: knownFields(result),
  }
  const name = typeof event === 'string' ? event : event(ended)
  const id = subject ? asId(subject(ended)) : null
  const { caller } = call
  // A sign-out without a session changed nothing.
  if (name === 'auth.logout' && !caller) return
  await listener.tell(name, {
    caller,
    actorId: isBySubject ? id : (caller?.userId ?? null),
    ...(id !== null && { subject: { id, ...(type !== undefined && { type }) } }),
    data: Object.fromEntries(Object.entries(data).map(([field, read]) => [field, read(ended)])),
    source: caller?.credential === 'scim' ? 'scim' : 'api',
  })
}

/**
 * Returns the same routes, of which those with events notify the listener after a successful call.
 */
export const followRoutes = (routes: readonly Route[], listener: CallListener): Route[] =>
  routes.map((route) => {
    const row = rowOf.get(route.endpoint.id)
    if (!row) return route
    return aroundCalls(route, async (call, next) => {
      const result = await next()
      if (listener.listens() && !hasFailed(call)) await tellOf(row, call, result, listener)
      return result
    })
  })
