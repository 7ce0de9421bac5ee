import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { openShared } from '../testing/open-shared.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({
    environment: {
      ENABLE_API_KEYS: 'true',
      ENABLE_API_KEY_LIMITS: 'true',
      SHARING_PORT: '19647',
    },
  })
  await openShared(conversation.server, conversation.token)
})
afterAll(() => conversation.close())

const call = (path: string, token: string, body: unknown) =>
  conversation.server.call('POST', path, { token, body })

async function statusWith(limits: object): Promise<number> {
  const { token } = conversation
  const made = await call('/api/v1/auths/api_keys', token, { name: 'script', ...limits })
  const { api_key: key } = (await made.json()) as { api_key: string }
  const pass = { name: 'Visitor', models: ['text'], hours: 1, messages: 500 }
  return (await call('/api/v1/sharing/passes', key, pass)).status
}

describe('A guest asks models without the key that made the pass, so a key', () => {
  test.each([
    ['for some models', { allowed_models: ['other'] }],
    ['with a number of calls a day', { daily_requests: 50 }],
    ['with a number of tokens a day', { daily_tokens: 50 }],
  ])('%s cannot make one', async (_, limits) => {
    expect(await statusWith(limits)).toBe(403)
  })

  test.each([
    ['without limits', {}],
    ['for this endpoint', { allowed_endpoints: ['/api/v1/sharing'] }],
  ])('%s can', async (_, limits) => {
    expect(await statusWith(limits)).toBe(200)
  })
})
