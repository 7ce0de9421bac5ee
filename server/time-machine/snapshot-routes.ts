import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { defineEndpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import { asJsonList, httpRoute, type Caller, type HttpCall, type Route } from '../lib/http.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { StoredThings } from './stored-things.ts'
import type { TimeMachine } from './time-machine.ts'

/** Everything below such an address is the gateway as a snapshot has it, to be read only. */
const VIEW = /^\/at\/([\w.:-]{1,100})(\/.*)?$/

/** Of these a window that looks at a snapshot needs the present: who looks, and how it looks. */
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

/** What is said to whatever would write. */
export const snapshotIsReadOnly = () =>
  forbidden('A snapshot can only be read. Bring things back to change them.', {
    code: 'snapshot_read_only',
  })

const isNoPart = () =>
  notFound('This is not part of a snapshot. Leave the snapshot to see it.', {
    code: 'not_in_snapshot',
  })

/**
 * Takes the snapshot out of the address of a request that looks at one, and remembers it. Answers
 * its id; `''` where only the slash that ends its own address is missing, and null for every other
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

/** What others shared may have been taken back since, so everybody reads their own things alone. */
const asOwner = (caller: Caller): Caller => ({ ...caller, role: 'user' })

async function* keepOwn<Each extends { readonly user_id: string }>(
  items: AsyncIterable<Each | undefined>,
  caller: Caller,
): AsyncGenerator<Each | undefined> {
  for await (const each of items) yield each?.user_id === caller.userId ? each : undefined
}

/** All there is stands on the first page, so that whoever turns pages finds an end. */
const firstPage = <Each>(items: AsyncIterable<Each | undefined>, query: unknown): Each[] => {
  const { page = 1 } = query as { page?: number }
  return asJsonList(page > 1 ? [] : items)
}

const idIn = (params: unknown, name: string): string =>
  (params as Readonly<Record<string, string>>)[name]!

/** What of a snapshot is read where the present is read otherwise. */
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
}

/** The same to everybody and whatever is asked for, so that it says nothing of what there is. */
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

/** The same route where its call looks at a snapshot: read from it, from the present, or refused. */
function viewRoute(route: Route, timeMachine: Pick<TimeMachine, 'look'>): Route {
  const { endpoint } = route
  if (endpoint.method !== 'GET') return refuse(endpoint, snapshotIsReadOnly)
  if (OF_PRESENT.has(endpoint.id)) return route
  const read = READS[endpoint.id]
  if (!read) return refuse(endpoint, isNoPart)
  return httpRoute(endpoint, (call) => {
    const { caller, request } = call
    const id = viewed.get(request)
    if (caller === null || id === undefined) throw isNoPart()
    return timeMachine.look(id, call.response, (things) =>
      read(things, call as HttpCall & { caller: Caller }),
    )
  })
}

/** All routes as they answer those who look at a snapshot. */
export const createSnapshotRoutes = (
  routes: readonly Route[],
  timeMachine: Pick<TimeMachine, 'look'>,
): Route[] => routes.map((route) => viewRoute(route, timeMachine))
