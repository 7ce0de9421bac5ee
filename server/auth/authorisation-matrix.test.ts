import { isOnPostgres } from '../testing/create-test-storage.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { bearer, send } from '../testing/start-auth-gateway.ts'
import {
  createWorld,
  PROVISIONING_TOKEN,
  type SignedIn,
  type World,
} from '../testing/create-world.ts'
import { channelRows } from '../testing/channel-matrix-rows.ts'
import { chatRows } from '../testing/chat-matrix-rows.ts'
import { codeRows } from '../testing/code-matrix-rows.ts'
import { fileRows } from '../testing/file-matrix-rows.ts'
import { audioRows } from '../testing/audio-matrix-rows.ts'
import { imageRows } from '../testing/image-matrix-rows.ts'
import { knowledgeRows, retrievalRows } from '../testing/knowledge-matrix-rows.ts'
import { admin, user, type MatrixRow as Row } from '../testing/matrix-row.ts'
import { noteRows } from '../testing/note-matrix-rows.ts'
import { pluginRows } from '../testing/plugin-matrix-rows.ts'
import { proxyRows } from '../testing/proxy-matrix-rows.ts'
import { peopleRows } from '../testing/people-matrix-rows.ts'
import { machineRows } from '../testing/machine-matrix-rows.ts'
import { skillRows } from '../testing/skill-matrix-rows.ts'
import { pipelineRows, toolServerRows } from '../testing/tool-server-matrix-rows.ts'
import { answerRows } from '../testing/answer-matrix-rows.ts'
import { evaluationRows } from '../testing/evaluation-matrix-rows.ts'
import { modelRows } from '../testing/model-matrix-rows.ts'
import { promptRows } from '../testing/prompt-matrix-rows.ts'

const CONNECTION = {
  kind: 'compatible',
  name: 'Nowhere',
  url: 'http://127.0.0.1:9',
  enabled: false,
}
let counter = 0

/** One row for each endpoint of the table. An endpoint without a row fails. */
const ROWS: Readonly<Record<string, Row>> = {
  ...peopleRows,
  ...machineRows,
  ...codeRows,
  ...fileRows,
  ...audioRows,
  ...imageRows,
  ...knowledgeRows,
  ...retrievalRows,
  ...toolServerRows,
  ...pipelineRows,
  ...pluginRows,
  ...channelRows,
  ...chatRows,

  'connections.list': admin(),
  'connections.local': admin(),
  'doctor.examine': admin({ body: () => ({ ...CONNECTION, step: 'address' }) }),
  'connections.create': admin({ body: () => CONNECTION }),
  'connections.verify': admin({ body: () => CONNECTION }),
  'connections.update': admin({
    params: () => ({ connection_id: 'none' }),
    body: () => CONNECTION,
    status: 404,
  }),
  'programs.list': admin(),
  'programs.start': admin({ params: () => ({ program_id: 'none' }), status: 422 }),
  'programs.stop': admin({ params: () => ({ program_id: 'none' }), status: 422 }),
  'connections.remove': admin({ params: () => ({ connection_id: 'none' }), status: 404 }),
  ...proxyRows,

  ...skillRows,

  ...modelRows,
  ...evaluationRows,
  ...answerRows,
  ...promptRows,

  ...noteRows,

  'requests.list': admin(),
  'requests.stream': admin({ query: '?follow=false' }),
  'requests.get': admin({ params: () => ({ request_id: 'none' }), status: 404 }),
  'requests.replay': admin({
    params: () => ({ request_id: 'none' }),
    body: () => ({}),
    status: 404,
  }),
  'requests.clear': admin(),

  'backups.list': admin(),
  'backups.create': admin(),
  'backups.download': admin(),
  'deletions.list': user(),

  'settings.list': admin(),
  'settings.update': admin({ body: () => ({ values: {} }) }),
}

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

const portOf = (): number => Number(new URL(world.server.url).port)

/**
 * A caller of the matrix: what it sends, and the status it must receive from an endpoint with a
 * given row.
 */
interface Column {
  readonly name: string
  readonly headers: (row: Row) => Record<string, string>
  readonly expected: (row: Row, endpoint: AnyEndpoint) => number
}

const LEAST: Record<SignedIn, readonly Row['auth'][]> = {
  pending: ['none', 'session'],
  owner: ['none', 'session', 'user'],
  other: ['none', 'session', 'user'],
  admin: ['none', 'session', 'user', 'admin'],
}
const proved = (name: SignedIn): Column => ({
  name,
  headers: () => bearer(world.tokens[name]),
  expected: (row) => (LEAST[name].includes(row.auth) ? (row.others?.[name] ?? row.status) : 401),
})
const unproved = (name: string, headers: Column['headers']): Column => ({
  name,
  headers,
  expected: (row) => (row.auth === 'none' ? row.status : 401),
})
/** The owner's cookie alone: opens only the endpoints that set `opensByCookie`. */
const halfProved = (name: string, headers: Column['headers']): Column => ({
  name,
  headers,
  expected: (row, { opensByCookie }) =>
    row.auth === 'none' || (opensByCookie && LEAST.owner.includes(row.auth)) ? row.status : 401,
})
const refused = (name: string, headers: Column['headers']): Column => ({
  name,
  headers,
  expected: () => 403,
})

/** An address that has made no call yet; otherwise the limit on invalid keys would reply. */
const fromElsewhere = () => ({ 'x-forwarded-for': `198.51.100.${(counter += 1) % 250}` })

/**
 * The owner comes last, so that an earlier caller who got past the rules makes the owner's call
 * fail.
 */
const COLUMNS: readonly Column[] = [
  refused('foreign Host with cookie', () => ({
    cookie: `token=${world.tokens.admin}`,
    host: `evil.com:${portOf()}`,
  })),
  refused('foreign Host from a page', () => ({
    ...bearer(world.tokens.admin),
    origin: `http://evil.com:${portOf()}`,
    host: `evil.com:${portOf()}`,
  })),
  refused('foreign Origin with cookie', () => ({
    cookie: `token=${world.tokens.admin}`,
    origin: 'https://evil.com',
  })),
  unproved('anonymous', () => ({})),
  unproved('malformed key', () => ({ authorization: 'sk-without-a-scheme' })),
  unproved('restricted key', () => bearer(world.tokens.restrictedKey)),
  unproved('restricted key in the cookie', () => ({
    cookie: `token=${world.tokens.restrictedKey}`,
  })),
  unproved('restricted key in the key header', () => ({ 'x-api-key': world.tokens.restrictedKey })),
  unproved('key with another scope', () => bearer(world.tokens.scopedKey)),
  halfProved('cookie of a browser alone', () => ({ cookie: world.browser.cookie })),
  halfProved('cookie of a browser with another key', () => ({
    cookie: world.browser.cookie,
    'x-session-key': `${world.browser.key}x`,
  })),
  unproved('cookie of a browser as Bearer', () =>
    bearer(world.browser.cookie.slice('token='.length)),
  ),
  unproved("deleted user's token", () => bearer(world.tokens.deleted)),
  unproved("deleted user's key", (row) => ({
    ...bearer(world.tokens.deletedKey),
    ...(row.auth !== 'none' && fromElsewhere()),
  })),
  {
    name: 'provisioning token',
    headers: () => bearer(PROVISIONING_TOKEN),
    expected: (row) => (['none', 'scim'].includes(row.auth) ? row.status : 401),
  },
  unproved('provisioning token in the cookie', () => ({ cookie: `token=${PROVISIONING_TOKEN}` })),
  unproved('provisioning token in the key header', () => ({ 'x-api-key': PROVISIONING_TOKEN })),
  proved('pending'),
  proved('other'),
  proved('admin'),
  proved('owner'),
]

function toPath(endpoint: AnyEndpoint, params: Record<string, string>, query = ''): string {
  return (
    endpoint.path.replaceAll(/[:*](\w+)/g, (_, name: string) => params[name] ?? 'missing') + query
  )
}

/** Sign-out ends the callers' sessions, so it comes last. */
const ENDPOINTS = allEndpoints.toSorted(
  (a, b) => Number(a.id.includes('signout')) - Number(b.id.includes('signout')),
)

/**
 * Endpoints that copy the SQLite file reply 400 on PostgreSQL to callers who are allowed to use
 * them.
 */
const onDatabase = (id: string, status: number): number =>
  isOnPostgres && /^(backups|timeMachine)\./.test(id) && (status < 400 || status === 404)
    ? 400
    : status

describe('every endpoint for every kind of caller', () => {
  it('has a row for each endpoint and no row for anything else', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(allEndpoints.map(({ id }) => id).toSorted())
  })

  it.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s',
    async (id, endpoint) => {
      const row = ROWS[id]!
      expect(endpoint.auth).toBe(row.auth)
      const path = toPath(endpoint, (await row.params?.(world)) ?? {}, row.query)
      const verdicts: Record<string, number> = {}
      for (const { name, headers } of COLUMNS) {
        // A call to these endpoints without their token counts as an attempt to guess keys.
        const sent = { ...headers(row), ...(row.auth === 'scim' && fromElsewhere()) }
        const reply = await send(portOf(), path, {
          method: endpoint.method,
          headers: sent,
          body: await row.body?.(world),
        })
        verdicts[name] = reply.status
      }
      expect(verdicts).toEqual(
        Object.fromEntries(
          COLUMNS.map(({ name, expected }) => [name, onDatabase(id, expected(row, endpoint))]),
        ),
      )
    },
  )
})

describe('golden lists', () => {
  const idsOf = (...auths: Row['auth'][]): string[] =>
    allEndpoints.filter(({ auth }) => auths.includes(auth)).map(({ id }) => id)

  it('row 61: without sign-in there is health, bootstrap data, sign-in and sign-out, and the public certificate', () => {
    expect(idsOf('none')).toEqual([
      'system.health',
      'system.healthDatabase',
      'system.ready',
      'system.config',
      'system.version',
      'system.manifest',
      'system.opensearch',
      'system.watch',
      'auths.signup',
      'auths.signin',
      'auths.desktop',
      'auths.local',
      'auths.signout',
      'auths.signoutByGet',
      'ldap.signin',
      'oauth.login',
      'oauth.callback',
      'oauth.backchannelLogout',
      'oauth.session',
      'oauth.exchange',
      'sharing.authority',
      'sharing.enter',
      // The secret URL is the credential.
      'channels.receive',
      'automations.receive',
      // The credential is the token being introspected, or the state of a sign-in that was started.
      'toolServers.introspect',
      'toolServers.callback',
    ])
  })

  it('the token of provisioning opens nothing but SCIM', () => {
    expect(idsOf('scim').every((id) => id.startsWith('scim.'))).toBe(true)
    expect(
      allEndpoints
        .filter(({ path }) => path.startsWith('/api/v1/scim'))
        .every(({ auth }) => auth === 'scim'),
    ).toBe(true)
  })

  it('row 62: a pending account can only see who it is and whom to ask, and change its password and time zone', () => {
    expect(idsOf('session')).toEqual([
      'auths.session',
      'auths.updateTimezone',
      'auths.adminDetails',
      'auths.updatePassword',
    ])
  })
})
