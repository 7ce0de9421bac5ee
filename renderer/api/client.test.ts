import { afterEach, expect, test, vi } from 'vitest'
import { fakeGateway, refusal } from '../testing/fake-gateway.ts'
import { ApiError, call, endpoints, onUnauthorized } from './client.ts'

afterEach(() => vi.unstubAllGlobals())

const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const thrown: unknown = await promise.catch((error: unknown) => error)
  if (!(thrown instanceof ApiError)) throw new Error('The call did not fail as expected.')
  return thrown
}

test('a call fills in the path, the query and the body of its endpoint', async () => {
  const { calls } = fakeGateway({ 'POST /api/v1/chats/a%2Fb': { id: 'a/b', updated_at: 1 } })
  await call(endpoints.chats.update, {
    params: { chat_id: 'a/b' },
    query: { reply: 'minimal' },
    body: { chat: { title: 'T' } },
  })
  const [seen] = calls
  expect(seen?.query.get('reply')).toBe('minimal')
  expect(seen?.body).toEqual({ chat: { title: 'T' } })
  expect(seen?.headers.get('X-Requested-With')).toBe('chat-gateway')
})

test('a refusal carries the sentence, the request id and the time to wait', async () => {
  fakeGateway({
    'GET /api/config': refusal(429, 'Too many tries.', {
      'X-Request-Id': 'r1',
      'Retry-After': '12',
    }),
  })
  const error = await failure(call(endpoints.system.config, {}))
  expect(error).toMatchObject({
    status: 429,
    detail: 'Too many tries.',
    requestId: 'r1',
    retryAfter: 12,
  })
})

test('faults in a form are told field by field', async () => {
  fakeGateway({
    'GET /api/config': refusal(422, [
      { loc: ['body', 'url'], msg: 'must start with http', type: 'invalid' },
    ]),
  })
  expect((await failure(call(endpoints.system.config, {}))).detail).toBe(
    'url: must start with http',
  )
})

test('an answer that is no JSON still says what happened', async () => {
  fakeGateway({ 'GET /api/config': new Response('<h1>Bad gateway</h1>', { status: 502 }) })
  expect(await failure(call(endpoints.system.config, {}))).toMatchObject({
    status: 502,
    detail: 'HTTP 502',
  })
})

test('a gateway that cannot be reached is told in a sentence, an abort stays an abort', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await failure(call(endpoints.system.config, {}))).toMatchObject({
    status: 0,
    code: 'unreachable',
  })
  const abort = new AbortController()
  abort.abort()
  fakeGateway({})
  await expect(call(endpoints.system.config, {}, { signal: abort.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a 401 is heard by whoever watches the session', async () => {
  const refused = refusal(401, 'Not authenticated')
  fakeGateway({ 'GET /api/config': refused, 'GET /api/v1/auths/': refused })
  const heard = vi.fn()
  const stop = onUnauthorized(heard)
  await failure(call(endpoints.system.config, {}))
  await failure(call(endpoints.auths.session, {}))
  stop()
  await failure(call(endpoints.system.config, {}))
  expect(heard).toHaveBeenCalledTimes(1)
})
