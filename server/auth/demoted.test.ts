import { once } from 'node:events'
import { request as sendRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/create-world.ts'
import { SOME_REQUEST } from '../testing/start-auth-gateway.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

const { stringify } = JSON
let counter = 0

interface Account {
  readonly id: string
  readonly token: string
}

async function addAccount(role: 'user' | 'admin'): Promise<Account> {
  const { server, tokens } = world
  const body = {
    name: 'Somebody',
    email: `${(counter += 1)}.somebody@example.com`,
    password: 'correct horse battery',
    role,
  }
  return (await (
    await server.call('POST', '/api/v1/auths/add', { token: tokens.admin, body })
  ).json()) as Account
}

/**
 * Sends the first half of a body, waits until the gateway has received it, runs a callback, and
 * sends the rest.
 */
async function sendSlowly(
  { token }: Account,
  path: string,
  { type, body, meanwhile }: { type: string; body: string; meanwhile: () => unknown },
): Promise<{ status: number; text: string }> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    Expect: '100-continue',
  }
  const request = sendRequest(new URL(path, world.server.url), { method: 'POST', headers })
  request.flushHeaders()
  await once(request, 'continue')
  request.write(body.slice(0, body.length / 2))
  // The credential is checked as soon as the headers have arrived; that of a later call is checked
  // after it.
  await world.server.call('GET', '/api/v1/auths/', { token })
  await meanwhile()
  const replied = once(request, 'response') as Promise<[IncomingMessage]>
  request.end(body.slice(body.length / 2))
  const [reply] = await replied
  return { status: reply.statusCode!, text: Buffer.concat(await reply.toArray()).toString() }
}

const FORM = [
  '--edge',
  'Content-Disposition: form-data; name="urlIdx"',
  '',
  '0',
  '--edge',
  'Content-Disposition: form-data; name="file"; filename="own.py"',
  'Content-Type: text/x-python',
  '',
  'print("hello")',
  '--edge--',
  '',
].join('\r\n')
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data; boundary=edge'
const REFUSED = {
  status: 401,
  text: expect.stringContaining('changed or deleted while the request was being sent'),
}

describe('Whoever loses their rights while their request is still coming in', () => {
  const demote = (id: string) => async () =>
    await world.server.context.users.update(id, { role: 'user' })
  const remove = (id: string) => () => world.server.context.users.remove(id)

  it('does not act as an administrator once more with a slow body', async () => {
    const admin = await addAccount('admin')
    const body = stringify({
      name: 'Planted',
      email: 'planted@example.com',
      password: 'correct horse battery',
      role: 'admin',
    })
    expect(
      await sendSlowly(admin, '/api/v1/auths/add', {
        type: JSON_TYPE,
        body,
        meanwhile: demote(admin.id),
      }),
    ).toEqual(REFUSED)
    expect(await world.server.context.users.findByEmail('planted@example.com')).toBeNull()
  })

  it('nor with the form of a file', async () => {
    const admin = await addAccount('admin')
    expect(
      await sendSlowly(admin, '/api/v1/pipelines/upload', {
        type: FORM_TYPE,
        body: FORM,
        meanwhile: demote(admin.id),
      }),
    ).toEqual(REFUSED)
    const user = await addAccount('user')
    expect(
      await sendSlowly(user, '/api/v1/files/', {
        type: FORM_TYPE,
        body: FORM,
        meanwhile: remove(user.id),
      }),
    ).toEqual(REFUSED)
  })

  it('loses the permission of an endpoint as well', async () => {
    const user = await addAccount('user')
    const { settings } = world.server.context
    await settings.update({ USER_PERMISSIONS: stringify({ workspace: { prompts: true } }) })
    const body = stringify({ command: 'slow', name: 'Slow', content: 'Hello' })
    const meanwhile = (): Promise<void> => settings.update({ USER_PERMISSIONS: null })
    expect(
      await sendSlowly(user, '/api/v1/prompts/create', { type: JSON_TYPE, body, meanwhile }),
    ).toMatchObject({ status: 403 })
  })

  it('acts as before where nothing was lost', async () => {
    const user = await addAccount('user')
    const body = stringify({ title: 'Slow' })
    expect(
      await sendSlowly(user, '/api/v1/notes/create', {
        type: JSON_TYPE,
        body,
        meanwhile: () => undefined,
      }),
    ).toMatchObject({
      status: 200,
    })
  })
})

describe('A list that is still being sent', () => {
  it.each(['notes', 'prompts'] as const)(
    'ends for an administrator who is demoted meanwhile: %s of others are left out',
    async (name) => {
      const { server, tokens } = world
      const admin = await addAccount('admin')
      for (const number of [1, 2]) {
        const body = {
          notes: { title: `Note ${number}` },
          prompts: { command: `prompt${number}`, name: 'Of others', content: '' },
        }[name]
        const reply = await server.call('POST', `/api/v1/${name}/create`, {
          token: tokens.admin,
          body,
        })
        expect(reply.status).toBe(200)
      }
      const live = await server.context.auth.liveCallers.byToken(admin.token, SOME_REQUEST)
      const listed = {
        notes: () => server.context.notes.list(live!.caller, {}),
        prompts: () => server.context.prompts.list(live!.caller),
      }[name]()
      const items = (listed as AsyncIterable<object>)[Symbol.asyncIterator]()
      expect((await items.next()).done).toBe(false)
      await server.context.users.update(admin.id, { role: 'user' })
      expect((await items.next()).done).toBe(true)
    },
  )
})
