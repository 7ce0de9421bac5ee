import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '#contract/common.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

/** Matches an error message for users: words, not a bare code. */
const SENTENCE = /\w+ \w+/
const MEGABYTE = 1024 * 1024
const SCIM_TOKEN = 'a-token-for-provisioning'
const FUZZ_RUNS = 1500
/** Statuses a caller can cause; a fault of the gateway itself would be another 5xx. */
const ALLOWED = new Set([
  200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 502, 503, 504,
])

let server: TestServer
let token: string

beforeAll(async () => {
  const names = [
    'ENABLE_API_KEYS',
    'ENABLE_WEB_SEARCH',
    'ENABLE_USER_WEBHOOKS',
    'ENABLE_SCIM',
    'ENABLE_CHANNELS',
  ]
  names.push('ENABLE_IMAGE_GENERATION', 'ENABLE_IMAGE_EDIT')
  const switches = Object.fromEntries(names.map((name) => [name, 'true']))
  server = await startTestServer({ environment: { ...switches, SCIM_TOKEN } })
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

/** Calls that end the session or the account the other calls need. */
const isEnding = ({ id }: AnyEndpoint) => /signout|desktop/.test(id)
const withBody = allEndpoints.filter((endpoint) => endpoint.body && !isEnding(endpoint))
const withParams = allEndpoints.filter((endpoint) => endpoint.path.includes(':'))

/** Returns the token that passes the endpoint's authentication. */
const tokenFor = ({ auth }: AnyEndpoint): string => (auth === 'scim' ? SCIM_TOKEN : token)

const fill = (path: string, value: string) => path.replace(/:\w+/g, encodeURIComponent(value))

async function readError(response: Response): Promise<ErrorBody> {
  const text = await response.text()
  expect(response.headers.get('content-type'), text).toMatch(/^application\/(scim\+)?json/)
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect(response.headers.get('x-error-code')).toMatch(/^[\w.-]+$/)
  const body = JSON.parse(text) as ErrorBody
  const sentences =
    typeof body.detail === 'string' ? [body.detail] : body.detail.map(({ msg }) => msg)
  for (const sentence of sentences) expect(sentence).toMatch(SENTENCE)
  return body
}

async function expectRefused(response: Response, statuses: readonly number[]): Promise<void> {
  expect(statuses, `${response.url}: ${response.status}`).toContain(response.status)
  await readError(response)
}

test('says that a body is not JSON as one fault of the body, which clients can read', async () => {
  const reply = await server.call('POST', '/api/v1/chats/new', { token, body: '{"chat":' })
  expect(await reply.json()).toEqual({
    detail: [{ loc: ['body'], msg: 'The request body is not valid JSON.', type: 'json_invalid' }],
  })
  const asked = await server.call('POST', '/api/chat/completions', { token, body: '{"model":' })
  expect(await asked.json()).toMatchObject({
    error: { message: 'The request body is not valid JSON.', param: null, code: 'invalid_json' },
  })
})

describe.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const path = fill(endpoint.path, randomUUID())
  const send = (body: string, headers: Record<string, string> = {}) =>
    server.call(endpoint.method, path, { token: tokenFor(endpoint), body, headers })

  test('answers malformed JSON with 422, or 400 in SCIM, and a sentence', async () => {
    const status = endpoint.errorDialect === 'scim' ? 400 : 422
    for (const body of ['', '{', '{"a":', '[1,2', 'nonsense', '{"a":1}}', '\u0000'])
      await expectRefused(await send(body), [status])
  })

  test('answers another content type with 415 and a sentence', async () => {
    // Requests of clients of the local runtime are accepted with any content type, but not from a
    // browser.
    const credential: Record<string, string> = endpoint.takesAnyType
      ? { Cookie: `token=${token}` }
      : { Authorization: `Bearer ${tokenFor(endpoint)}` }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
    ]) {
      const headers = { ...credential, 'Content-Type': type }
      await expectRefused(await server.call(endpoint.method, path, { body: '{}', headers }), [415])
    }
  })

  test('answers values of a wrong type with 4xx and the place of the fault', async () => {
    for (const body of ['null', '17', '"text"', '[]', 'true'])
      await expectRefused(await send(body), [400, 404, 422])
  })

  test('answers strings of a megabyte without a fault of its own', async () => {
    const long = 'x'.repeat(MEGABYTE - 4096)
    const shape = Object.fromEntries(
      [
        'name',
        'email',
        'password',
        'code',
        'text',
        'content',
        'type',
        'title',
        'model',
        'url',
        'chat',
      ].map((key) => [key, long.slice(0, 80_000)]),
    )
    for (const body of [
      JSON.stringify(long),
      JSON.stringify(shape),
      JSON.stringify({ [long]: 1 }),
    ]) {
      expect(ALLOWED, endpoint.id).toContain((await send(body)).status)
    }
  })

  test('row 102: answers fields nested 20,000 deep without a fault of its own', async () => {
    for (const name of ['x', 'data', 'meta', 'ui', 'chat', 'config', 'messages']) {
      expect(ALLOWED, `${endpoint.id}: ${name}`).toContain((await send(toDeepBody(name))).status)
    }
  })

  test('answers a body over its limit with 413', async () => {
    // Declaring the length is enough to be refused; the test need not send 64 MB first.
    expect(await sendDeclaredLength(path, endpoint, (endpoint.bodyLimit ?? MEGABYTE) + 1)).toBe(413)
  })
})

/**
 * A body that fits many schemas, with one free-form field nested too deeply to be serialised again.
 */
function toDeepBody(name: string): string {
  const words = [
    'name',
    'title',
    'description',
    'content',
    'command',
    'id',
    'model',
    'prompt',
    'url',
  ]
  const inner = name === 'config' ? 'DEFAULT_MODEL_METADATA' : 'deep'
  const field = {
    [name]: name === 'messages' ? [{ role: 'user', content: 'x', [inner]: 0 }] : { [inner]: 0 },
  }
  const plain = {
    type: 'rating',
    messages: [],
    params: {},
    ...Object.fromEntries(words.map((word) => [word, 'word'])),
    ...field,
  }
  return JSON.stringify(plain).replace(
    `"${inner}":0`,
    `"${inner}":${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  )
}

/** `fetch` does not allow a false content length, so this uses a raw socket. */
async function sendDeclaredLength(
  path: string,
  endpoint: AnyEndpoint,
  length: number,
): Promise<number> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `${endpoint.method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${tokenFor(endpoint)}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
      )
    })
    socket.once('data', (bytes) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1]))
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('ids in paths', () => {
  const HOSTILE = [
    'x'.repeat(300),
    '..',
    '%',
    '\u0000',
    "'; drop table chat; --",
    '__proto__',
    'constructor',
    '💥',
    'a/b',
    'local:1',
    ' ',
  ]

  // oxlint-disable-next-line vitest/expect-expect -- the expectations are in expectRefused
  test.each(withParams.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s answers unknown and hostile ids with 4xx',
    async (_, endpoint) => {
      for (const id of [randomUUID(), ...HOSTILE]) {
        const target = fill(endpoint.path, id)
        // Clients resolve dots before sending, which makes it the path of another endpoint.
        if (new URL(target, server.url).pathname !== target) continue
        const response = await server.call(endpoint.method, target, {
          token: tokenFor(endpoint),
          ...(endpoint.body && { body: {} }),
        })
        // By contract the tasks of an unknown chat and the chats of an unknown user are an empty
        // list, messages of deleted webhooks keep a picture, and answers of removed models are
        // still counted.
        const isKnown =
          /^(tasks\.ofChat|chats\.listOfUser|channels\.webhookImage|analytics\.(chats|overview))$/.test(
            endpoint.id,
          ) && response.status === 200
        if (!isKnown) await expectRefused(response, [400, 403, 404, 422])
      }
    },
  )
})

describe('addresses', () => {
  test('unknown paths below the API answer JSON 404, never the page', async () => {
    for (const path of [
      '/api',
      '/api/nothing',
      '/api/v1/chats/a/b/c/d',
      '/llmhost/nothing',
      '/ollama/api/nothing',
      '/oauth/x/login',
      '/ws/nothing',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE'])
        await expectRefused(
          await server.call(method, path, { token, headers: { Accept: 'text/html' } }),
          [404],
        )
    }
  })

  test('whatever else a provider may offer below /openai is switched off', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      await expectRefused(await server.call(method, '/openai/nothing', { token }), [403])
  })

  test('undecodable and overlong paths are refused', async () => {
    await expectRefused(await server.call('GET', '/api/v1/chats/%zz', { token }), [400, 404])
    expect([400, 404, 414, 431]).toContain(
      (await server.call('GET', `/api/${'a'.repeat(20_000)}`, { token })).status,
    )
  })

  test('both spellings of every path, with and without a trailing slash, answer alike', async () => {
    for (const endpoint of allEndpoints.filter(
      (each) => each.method === 'GET' && !isEnding(each),
    )) {
      const { method, path, auth, body } = endpoint
      const target = fill(path, 'unknown').replace(/\/$/, '')
      const credentials = auth === 'none' ? {} : { token: tokenFor(endpoint) }
      const plain = await server.call(method, target, { ...credentials, ...(body && { body: {} }) })
      const slashed = await server.call(method, `${target}/`, {
        ...credentials,
        ...(body && { body: {} }),
      })
      expect(`${path} ${slashed.status}`).toBe(`${path} ${plain.status}`)
    }
  })
})

test.each([
  [`GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['GET / HTTP/1.1\r\nHost: x\r\nA\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
])('what is no request is refused with a sentence (%#)', async (sent, status) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => undefined).write(sent)
  const reply = await new Promise<string>((resolve) =>
    socket.once('data', (bytes) => resolve(bytes.toString())),
  )
  socket.destroy()
  expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect((JSON.parse(reply.split('\r\n\r\n')[1]!) as ErrorBody).detail).toMatch(SENTENCE)
})

describe('generated requests', () => {
  test(`R31: ${FUZZ_RUNS} generated calls over the whole table cause no fault of the gateway`, async () => {
    const callable = allEndpoints.filter(
      (endpoint) =>
        !isEnding(endpoint) &&
        !/^requests\.stream$|^users\.(update|remove)$|updatePassword|updateAdminConfig|settings\.update/.test(
          endpoint.id,
        ),
    )
    const words = fc.constantFrom(
      'id',
      'chat',
      'history',
      'messages',
      'currentId',
      'parentId',
      'childrenIds',
      'model',
      'stream',
      'title',
      'content',
      'role',
      'type',
      'data',
      'key',
      'url',
      'kind',
      'name',
      'headers',
      '__proto__',
      'constructor',
      'toString',
      'params',
      'variables',
      'chat_id',
      'parent_id',
      'session_id',
      'user_ids',
      'group_ids',
      'reply_to_id',
      'message_id',
      'access_grants',
      'is_active',
      'is_pinned',
      'meta',
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(words, tie('value')), { maxLength: 6 }).map((entries) =>
          entries.reduce<Record<string, unknown>>(
            (all, [key, each]) =>
              Object.defineProperty(all, key, {
                value: each,
                enumerable: true,
                configurable: true,
                writable: true,
              }),
            {},
          ),
        ),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...callable),
        value,
        fc.string({ maxLength: 40 }),
        async (endpoint, body, word) => {
          const target =
            fill(endpoint.path, word || 'x') +
            (endpoint.query
              ? `?${new URLSearchParams({ page: word, text: word, id: word, limit: word, query: word, refresh: word }).toString()}`
              : '')
          const response = await server.call(endpoint.method, target, {
            token: tokenFor(endpoint),
            ...(endpoint.body && { body: JSON.stringify(body) ?? 'null' }),
          })
          expect(ALLOWED, `${endpoint.id} ${response.status} ${JSON.stringify(body)}`).toContain(
            response.status,
          )
          if (response.status >= 400) await readError(response)
          else await response.arrayBuffer()
        },
      ),
      { numRuns: FUZZ_RUNS },
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  }, 120_000)
})
