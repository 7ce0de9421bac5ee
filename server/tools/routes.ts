import { endpoints } from '#contract/endpoints.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toBaseAddress } from '../lib/serving/base-address.ts'
import { badRequest, notFound, ServiceError } from '../lib/errors.ts'
import { httpRoute, route, type Caller, type Route } from '../lib/http.ts'
import { stepsToRoot } from '../lib/serving/steps-to-root.ts'
import type { AnswerStore } from './calls/answer-store.ts'
import type { Connections } from './servers/connections.ts'
import { onThisComputer, originsOf, sendFrame } from './own-servers/frame.ts'
import type { Reach } from './servers/reach.ts'
import { parseServerAddress, signsInPeople, type ServerRecord } from './servers/server-record.ts'
import type { ServerStates } from './servers/server-states.ts'
import type { SessionTokens } from './servers/session-tokens.ts'
import type { SignIns } from './sign-in/sign-ins.ts'

export interface RoutesDependencies {
  readonly connections: Connections
  readonly reach: Reach
  readonly states: ServerStates
  readonly signIns: SignIns
  readonly sessionTokens: SessionTokens
  readonly answers: AnswerStore
  /** Public URL of the gateway, if an administrator set it; empty otherwise. */
  readonly publicAddress: () => string
  /** True if this gateway belongs to the app of one user. */
  readonly isDesktop: boolean
  /** Finds a server, regardless of access. */
  readonly find: (id: string) => ServerRecord | null
  /** Returns true in sealed mode, in which windows reach no tool server elsewhere. */
  readonly isSealed: () => boolean
  /** Returns a user's UI settings. */
  readonly settingsOf: (userId: string) => Promise<Record<string, unknown> | null>
}

/**
 * Parses the resource in token requests: `auto`, `include`, `omit`, or the URL by which the server
 * wants to be identified.
 */
function parseResource(text: string): string {
  if (text === '') return 'auto'
  return ['auto', 'include', 'omit'].includes(text) ? text : parseServerAddress(text)
}

const redirectUrlOf = (base: string, serverId: string): string =>
  `${base}/oauth/clients/mcp:${serverId}/callback`

function redirect(response: ServerResponse, address: string): void {
  response.writeHead(302, {
    Location: address,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Length': 0,
  })
  response.end()
}

/** Returns the server of a sign-in, if the caller may use it (security row 112). */
async function findServer(reach: Reach, caller: Caller, clientId: string): Promise<ServerRecord> {
  const record = clientId.startsWith('mcp:') ? await reach.find(caller, `server:${clientId}`) : null
  if (!record || !signsInPeople(record))
    throw notFound('There is no such tool server, or it has no sign-in.')
  return record
}

/** Page that shows users the servers they are signed in to. */
const OWN_PAGE = 'workspace/tools'

/** Relative path, because the browser may be below the path prefix of a proxy. */
const toOwnPage = (request: IncomingMessage, problem: string | null): string =>
  `${stepsToRoot((request.url ?? '/').split('?', 1)[0]!)}${OWN_PAGE}${problem === null ? '' : `?error=${encodeURIComponent(problem)}`}`

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Sends a page to a browser that is not signed in to the gateway itself. */
function sendNote(response: ServerResponse, text: string): void {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Chat Gateway</title></head><body><p>${escape(text)}</p></body></html>`
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  })
  response.end(page)
}

const NOT_BEGUN =
  'There is no such sign-in, or your own session has ended. Sign in to the gateway, and begin again.'

/**
 * Returns the user who returns from a sign-in, and its server.
 *
 * @NOTE The desktop app opens foreign pages in the system's browser, which has no session here.
 *   There, on a gateway for one user at one computer, the state of the sign-in identifies its user;
 *   anywhere else the session must.
 */
async function findReturning(
  { reach, signIns, isDesktop, find }: RoutesDependencies,
  caller: Caller | null,
  clientId: string,
  state: string,
) {
  if (caller) return { userId: caller.userId, record: await findServer(reach, caller, clientId) }
  const userId = isDesktop ? await signIns.starterOf(state) : null
  const record = clientId.startsWith('mcp:') ? find(clientId.slice('mcp:'.length)) : null
  if (userId === null || !record) throw notFound(NOT_BEGUN)
  return { userId, record }
}

function createSignInRoutes(dependencies: RoutesDependencies): Route[] {
  const { reach, signIns, publicAddress, states } = dependencies
  const table = endpoints.toolServers
  return [
    httpRoute(table.authorize, async ({ params, query, caller, request, response }) => {
      const record = await findServer(reach, caller, params.client_id)
      const redirectUrl = redirectUrlOf(toBaseAddress(request, publicAddress()), record.id)
      const { href } = await signIns.begin(record, caller.userId, redirectUrl)
      if (query.answer === 'json') return { address: href }
      redirect(response, href)
    }),
    httpRoute(table.callback, async ({ params, query, caller, request, response }) => {
      const { code, state, iss, error, error_description: description } = query
      const { userId, record } = await findReturning(
        dependencies,
        caller,
        params.client_id,
        state ?? '',
      )
      const back = (problem: string | null): void => {
        if (caller) redirect(response, toOwnPage(request, problem))
        else
          sendNote(
            response,
            problem ??
              `You are signed in to ${record.name || record.id}. You can close this page and go back to the app.`,
          )
      }
      if (code === undefined || state === undefined)
        return back(description ?? error ?? 'The sign-in was not finished.')
      try {
        await signIns.finish(record, userId, { code, state, iss })
      } catch (thrown) {
        if (!(thrown instanceof ServiceError)) throw thrown
        states.addLine(record.id, thrown.message)
        return back(thrown.message)
      }
      back(null)
    }),
    route(table.signOut, async ({ params, caller }) => {
      if (!(await reach.mayUse(caller, params.server_id)))
        throw notFound('There is no such tool server.')
      await signIns.forget(caller.userId, params.server_id)
    }),
  ]
}

function createAnswerRoutes({ answers, sessionTokens }: RoutesDependencies): Route[] {
  const table = endpoints.toolServers
  return [
    route(table.answers, async ({ caller }) =>
      (await answers.answers(caller.userId)).map(({ chat_id, ...answer }) => ({
        ...answer,
        chat_id: chat_id === '' ? null : chat_id,
      })),
    ),
    route(table.forgetAnswers, ({ caller, query }) =>
      answers.forgetAnswers(caller.userId, query.tool ?? null),
    ),
    route(table.introspect, ({ body }) => sessionTokens.introspect(body.token, body.audience)),
  ]
}

export function createToolServerRoutes(dependencies: RoutesDependencies): Route[] {
  const { connections, signIns, states, publicAddress, settingsOf, isSealed } = dependencies
  const table = endpoints.toolServers
  return [
    route(table.list, async () => ({ TOOL_SERVER_CONNECTIONS: await connections.list() })),
    route(table.replace, async ({ body, caller }) => ({
      TOOL_SERVER_CONNECTIONS: await connections.replace(caller, body.TOOL_SERVER_CONNECTIONS),
    })),
    route(table.verify, async ({ body, caller, signal }) => {
      try {
        return await connections.verify(caller, body, signal)
      } catch (error) {
        if (error instanceof ServiceError && error.status >= 500 && error.status < 507)
          throw badRequest(error.message, { cause: error })
        throw error
      }
    }),
    httpRoute(table.register, async ({ body, request }) => ({
      status: true as const,
      oauth_client_info: await signIns.register({
        serverId: body.client_id,
        url: parseServerAddress(body.url),
        redirectUrl: redirectUrlOf(toBaseAddress(request, publicAddress()), body.client_id),
        name: body.client_name ?? null,
        clientId: body.oauth_client_id ?? null,
        clientSecret: body.client_secret ?? null,
        serverUrl: body.oauth_server_url ? parseServerAddress(body.oauth_server_url) : null,
        scope: body.oauth_scope || null,
        resource: parseResource(body.oauth_resource ?? ''),
      }),
    })),
    route(table.states, ({ caller, query, signal }) =>
      connections.states(caller, query.refresh === true, signal),
    ),
    route(table.import, ({ body }) => connections.import(body)),
    ...createAnswerRoutes(dependencies),
    route(table.approve, ({ caller, params, body }) =>
      connections.approve(caller, params.server_id, body.fingerprint),
    ),
    route(table.log, async ({ params }) => {
      if (!(await connections.list()).some(({ info }) => info.id === params.server_id))
        throw notFound('There is no such tool server.')
      return [...states.lines(params.server_id)]
    }),
    httpRoute(table.frame, async ({ caller, response }) => {
      const origins = originsOf(await settingsOf(caller.userId))
      sendFrame(response, isSealed() ? onThisComputer(origins) : origins)
    }),
    ...createSignInRoutes(dependencies),
  ]
}
