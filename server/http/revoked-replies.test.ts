import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ENABLE_API_KEYS: 'true', USER_PERMISSIONS_FEATURES_API_KEYS: 'true' },
  })
})
afterAll(() => conversation.close())

const PASSWORD = 'correct horse battery'

async function call<Body>(method: string, path: string, token: string | undefined, body?: object) {
  const reply = await conversation.server.call(method, `/api/v1${path}`, { token, body })
  expect([path, reply.status]).toEqual([path, 200])
  return (await reply.json()) as Body
}

interface Person {
  readonly id: string
  readonly token: string
}
let count = 0
async function addPerson(): Promise<Person> {
  const email = `person${(count += 1)}@example.com`
  const account = { name: 'Grace', email, password: PASSWORD, role: 'user' }
  return call<Person>('POST', '/auths/add', conversation.token, account)
}

const newKey = (token: string) =>
  call<{ id: string; api_key: string }>('POST', '/auths/api_keys', token, { name: 'script' })

/** An answer that is being streamed, of which the first piece has arrived. */
async function openStream(token: string, more: object = {}) {
  const body = { model: 'text', messages: [{ role: 'user', content: '/stall' }], stream: true }
  const response = await conversation.complete({ ...body, ...more }, { token })
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  await reader.read()
  const rest = async (): Promise<'cut'> => {
    for (;;) {
      const piece = await reader.read().catch(() => 'cut' as const)
      if (piece === 'cut') return piece
      if (piece.done) throw new Error('The stream ended as if it were whole.')
    }
  }
  return { rest, cancel: () => reader.cancel() }
}

/** Returns the number of answers the provider is still writing. */
const running = (): number => conversation.upstream.openStreams()

describe('A stateless stream is cut off as soon as its caller may not ask any more', () => {
  test('because the key was deleted; the streams of another key go on', async () => {
    const { token } = await addPerson()
    const [key, other] = [await newKey(token), await newKey(token)]
    const [cut, kept] = [await openStream(key.api_key), await openStream(other.api_key)]
    await call('DELETE', `/auths/api_keys/${key.id}`, token)
    expect(await cut.rest()).toBe('cut')
    await expect.poll(running).toBe(1)
    await kept.cancel()
    await expect.poll(running).toBe(0)
  })

  test.each([
    ['is to be approved again', ({ id }: Person) => setRole(id, 'pending')],
    ['was deleted', ({ id }: Person) => call('DELETE', `/users/${id}`, conversation.token)],
    ['signed out', ({ token }: Person) => call('POST', '/auths/signout', token)],
  ])('because the person %s', async (_, end) => {
    const person = await addPerson()
    const stream = await openStream(person.token)
    await end(person)
    expect(await stream.rest()).toBe('cut')
    await expect.poll(running).toBe(0)
  })

  test('but not because another session of the person ended', async () => {
    const person = await addPerson()
    const stream = await openStream(person.token)
    const { email } = await call<{ email: string }>('GET', '/auths/', person.token)
    const again = await call<Person>('POST', '/auths/signin', undefined, {
      email,
      password: PASSWORD,
    })
    await call('POST', '/auths/signout', again.token)
    await call('GET', '/auths/', person.token)
    expect(running()).toBe(1)
    await stream.cancel()
    await expect.poll(running).toBe(0)
  })
})

const setRole = (id: string, role: string) =>
  call('POST', '/users/update/role', conversation.token, { id, role })
