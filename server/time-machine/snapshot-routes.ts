import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { defineEndpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import { asJsonList, httpRoute, type Caller, type HttpCall, type Route } from '../lib/http.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { StoredThings } from './stored-things.ts'
import type { TimeMachine } from './time-machine.ts'

/**
 * Matches URLs of the read-only view of a snapshot; everything below is the gateway as stored in
 * it.
 */
const VIEW = /^\/at\/([\w.:-]{1,100})(\/.*)?$/

/**
 * Endpoints that answer from the present for a window that shows a snapshot: the user and their
 * display settings, for example.
 */
const OF_PRESENT: ReadonlySet<string> = new Set([
  endpoints.system.config.id,
  endpoints.system.health.id,
  endpoints.system.version.id,
  endpoints.auths.session.id,
  endpoints.users.settings.id,
  endpoints.files.content.id,
  endpoints.timeMachine.list.id,
  endpoints.timeMachine.contents.id,
  endpoints.timeMachine.chat.id,
])

const viewed = new WeakMap<IncomingMessage, string>()

/** Error for every write request. */
export const snapshotIsReadOnly = () =>
  forbidden('A snapshot can only be read. Bring things back to change them.', {
    code: 'snapshot_read_only',
  })

const isNoPart = () =>
  notFound('This is not part of a snapshot. Leave the snapshot to see it.', {
    code: 'not_in_snapshot',
  })

/**
 * Removes the snapshot from the URL of a request that views one, and records it. Returns its id;
 * `''` if only the trailing slash of the snapshot's own URL is missing, and null for every other
 * request.
 */
export function takeViewedSnapshot(request: IncomingMessage): string | null {
  const [path = '/', ...query] = (request.url ?? '/').split('?')
  const found = VIEW.exec(path)
  if (!found) return null
  const [, id = '', rest] = found
  if (rest === undefined) return ''
  request.url = [rest, ...query].join('?')
  viewed.set(request, id)
  return id
}

type Read = (things: StoredThings, call: HttpCall & { caller: Caller }) => Promise<unknown>

function requireOwn<Each extends { readonly user_id: string }>(each: Each, caller: Caller): Each {
  if (each.user_id !== caller.userId) throw notFound('The snapshot has no such thing of yours.')
  return each
}

/** Shared items may have been unshared since, so each user reads only their own. */
const asOwner = (caller: Caller): Caller => ({ ...caller, role: 'user' })

async function* keepOwn<Each extends { readonly user_id: string }>(
  items: AsyncIterable<Each | undefined>,
  caller: Caller,
): AsyncGenerator<Each | undefined> {
  for await (const each of items) yield each?.user_id === caller.userId ? each : undefined
}

/**
 * Returns all items on the first page, so that a client that requests further pages reaches an end.
 */
const firstPage = <Each>(items: AsyncIterable<Each | undefined>, query: unknown): Each[] => {
  const { page = 1 } = query as { page?: number }
  return asJsonList(page > 1 ? [] : items)
}

const idIn = (params: unknown, name: string): string =>
  (params as Readonly<Record<string, string>>)[name]!

/** Reads that differ between a snapshot and the present. */
const READS: Readonly<Record<string, Read>> = {
  [endpoints.chats.list.id]: async ({ chats }, { caller, query }) =>
    firstPage(chats.list(caller.userId), query),
  [endpoints.chats.get.id]: ({ chats }, { caller, params }) =>
    chats.read(caller.userId, idIn(params, 'chat_id')),
  [endpoints.notes.list.id]: async ({ notes }, { caller, query }) =>
    firstPage(keepOwn(notes.list(asOwner(caller), {}), caller), query),
  [endpoints.notes.get.id]: async ({ notes }, { caller, params }) =>
    requireOwn(await notes.get(asOwner(caller), idIn(params, 'note_id')), caller),
  [endpoints.prompts.list.id]: async ({ prompts }, { caller }) =>
    asJsonList(keepOwn(prompts.list(asOwner(caller)), caller)),
  [endpoints.prompts.get.id]: async ({ prompts }, { caller, params }) =>
    requireOwn(await prompts.get(asOwner(caller), { id: idIn(params, 'prompt_id') }), caller),
  [endpoints.skills.list.id]: async ({ skills }, { caller }) =>
    asJsonList(keepOwn(skills.list(asOwner(caller)), caller)),
  [endpoints.skills.get.id]: async ({ skills }, { caller, params }) => ({
    ...requireOwn(await skills.get(asOwner(caller), idIn(params, 'skill_id')), caller),
    user: null,
  }),
  [endpoints.calendars.get.id]: ({ calendars }, { caller, params }) =>
    calendars.read(caller.userId, idIn(params, 'calendar_id')),
  [endpoints.calendars.getEvent.id]: ({ calendars }, { caller, params }) =>
    calendars.readEvent(caller.userId, idIn(params, 'event_id')),
}

/**
 * Returns a route that always fails in the same way, for every caller and request, so that it does
 * not reveal what exists.
 */
const refuse = (
  { id, tag, method, path, aliases, summary }: AnyEndpoint,
  error: () => Error,
): Route =>
  httpRoute(
    defineEndpoint({
      id,
      tag,
      method,
      path,
      ...(aliases && { aliases }),
      auth: 'none',
      response: z.unknown(),
      summary,
    }),
    () => {
      throw error()
    },
  )

/**
 * Returns the route for calls that view a snapshot: read from it, read from the present, or
 * refused.
 */
function viewRoute(route: Route, timeMachine: TimeMachine): Route {
  const { endpoint } = route
  if (endpoint.method !== 'GET') return refuse(endpoint, snapshotIsReadOnly)
  if (OF_PRESENT.has(endpoint.id)) return route
  const read = READS[endpoint.id]
  if (!read) return refuse(endpoint, isNoPart)
  return httpRoute(endpoint, (call) => {
    const { caller, request } = call
    const id = viewed.get(request)
    if (caller === null || id === undefined) throw isNoPart()
    return timeMachine.opened.lend(caller.userId, id, call.response, (things) =>
      read(things, call as HttpCall & { caller: Caller }),
    )
  })
}

/** Returns all routes in the form that answers calls viewing a snapshot. */
export const createSnapshotRoutes = (routes: readonly Route[], timeMachine: TimeMachine): Route[] =>
  routes.map((route) => viewRoute(route, timeMachine))
