import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { EventWebhook } from '#contract/event-webhooks.ts'
import type { EventBody } from '../webhooks/events/event.ts'
import { startReceiver, type Receiver } from './start-receiver.ts'
import { startTestServer, type TestServer } from './start-server.ts'

export const EVENT_WEBHOOKS = '/api/events/webhooks'

/** Starts a gateway and a receiver of its events, for the tests of one file. */
export function useEventWebhooks() {
  let server: TestServer
  let receiver: Receiver
  let admin: string

  beforeAll(async () => {
    server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
    admin = await server.signUp('Root')
    await server.context.settings.update({ ENABLE_SIGNUP: true, ENABLE_API_KEYS: true })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    const { events } = server.context.webhooks
    for (const { id } of await events.list()) await events.remove(id)
    await receiver.close()
  })

  const call = async <Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token = admin,
  ) => {
    const response = await server.call(method, path, { token, body })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const add = async (given: object = {}) =>
    (await call<EventWebhook>('POST', EVENT_WEBHOOKS, { url: `${receiver.url}/hook`, ...given }))
      .body
  const only = async (id: string) =>
    (await call<EventWebhook[]>('GET', EVENT_WEBHOOKS)).body.find((hook) => hook.id === id)!
  const told = () => receiver.received.map(({ body }) => body as unknown as EventBody)
  const names = () => told().map(({ event }) => event)
  /** Restarts the gateway on the same data folder. */
  const restart = async () => {
    await server.close({ keep: true })
    server = await startTestServer({ dataDir: server.dataDir })
  }
  return {
    restart,
    server: () => server,
    receiver: () => receiver,
    call,
    add,
    only,
    told,
    names,
  }
}
