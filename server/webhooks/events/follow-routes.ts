import type { Call, Caller, HttpCall, Route } from '../../lib/http.ts'
import { aroundCalls, knownFields } from '../../lib/http.ts'
import { isRecord } from '../../lib/is-record.ts'
import { contentRows } from './content-rows.ts'
import type { Told } from './event.ts'
import type { EventName } from './names.ts'
import { peopleRows } from './people-rows.ts'
import type { EndedCall, EventRow } from './row.ts'

/** Which call is which event. */
export const EVENT_ROWS: readonly EventRow[] = [...peopleRows, ...contentRows]

const rowOf = new Map(EVENT_ROWS.map((row) => [row.endpoint.id, row]))

/** The listener of ended calls. */
interface CallListener {
  /** Whether there is any subscriber; checked after every call of an endpoint that is an event. */
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

/** A stream says by its status how it went; calls from inside the gateway have no response. */
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
 * The same routes, of which those that are events tell what became of a call after it went well.
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
