import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Automation } from '#contract/automations.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const ROOT = '/api/v1/automations'
const INPUT = { name: 'Noon', data: { prompt: 'What is new?', model_id: 'text', rrule: null } }

let conversation: Conversation
let own: Automation
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ENABLE_API_KEYS: 'true', ENABLE_API_KEY_LIMITS: 'true' },
  })
  own = (await (await call(`${ROOT}/create`, conversation.token, INPUT)).json()) as Automation
})
afterAll(() => conversation.close())

const call = (path: string, token: string, body: unknown = {}) =>
  conversation.server.call('POST', path, { token, body })

async function createKey(limits: object): Promise<string> {
  const body = { name: 'script', ...limits }
  const reply = await call('/api/v1/auths/api_keys', conversation.token, body)
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { api_key: string }).api_key
}

const statusesFor = async (key: string): Promise<number[]> => {
  const path = `${ROOT}/${own.id}`
  const calls = [
    [`${ROOT}/create`, INPUT],
    [`${path}/update`, INPUT],
    [`${path}/toggle`, {}],
    [`${path}/address`, {}],
    [`${path}/run`, {}],
  ] as const
  const statuses: number[] = []
  for (const [at, body] of calls) statuses.push((await call(at, key, body)).status)
  return statuses
}

describe('An automation runs without the key that set it up, so a key', () => {
  test.each([
    ['for some models', { allowed_models: ['other'] }],
    ['with a number of calls a day', { daily_requests: 50 }],
    ['with a number of tokens a day', { daily_tokens: 50 }],
  ])('%s cannot set one up or start one', async (_, limits) => {
    expect(await statusesFor(await createKey(limits))).toEqual([403, 403, 403, 403, 403])
  })

  test.each([
    ['without limits', {}],
    ['for these endpoints', { allowed_endpoints: [ROOT] }],
    ['that expires', { expires_at: Math.floor(Date.now() / 1000) + 600 }],
  ])('%s can', async (_, limits) => {
    expect(await statusesFor(await createKey(limits))).toEqual([200, 200, 200, 200, 200])
    await expect
      .poll(() =>
        conversation.server
          .call('GET', `${ROOT}/${own.id}/runs`, { token: conversation.token })
          .then((reply) => reply.text()),
      )
      .not.toContain('"running"')
  })
})
