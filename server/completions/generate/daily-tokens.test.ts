import { afterEach, beforeEach, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'
import { toPieces } from '../../testing/fake-upstream/script.ts'

let release: () => void
let conversation: Conversation
beforeEach(async () => {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  release = resolve
  const answer = toPieces('Fine, thanks.')
  const usage = { kind: 'usage', prompt: 11, completion: 7 } as const
  conversation = await startConversation({
    upstream: {
      models: ['text', 'slow', 'broken'],
      // Answers of the slow model stay open until the test releases them.
      script: ({ model }) =>
        model === 'broken'
          ? { status: 400, body: '{}' }
          : {
              steps:
                model === 'slow'
                  ? [...answer, { kind: 'until', settled: released }, usage]
                  : [...answer, usage],
            },
    },
  })
  await conversation.server.context.settings.update({
    ENABLE_API_KEYS: true,
    ENABLE_API_KEY_LIMITS: true,
  })
})
afterEach(async () => {
  release()
  await conversation.close()
})

interface Key {
  readonly id: string
  readonly api_key: string
}

const createKey = async (daily_tokens: number): Promise<Key> =>
  (await (
    await conversation.server.call('POST', '/api/v1/auths/api_keys', {
      token: conversation.token,
      body: { name: 'capped', daily_tokens },
    })
  ).json()) as Key
const used = async ({ id }: Key): Promise<number> => {
  const reply = await conversation.server.call('GET', '/api/v1/auths/api_keys', {
    token: conversation.token,
  })
  const keys = (await reply.json()) as { id: string; today: { tokens: number } }[]
  return keys.find((key) => key.id === id)!.today.tokens
}
const question = (more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content: 'How are you?' }],
  ...more,
})
const ask = (key: Key, more: Record<string, unknown> = {}, signal?: AbortSignal) =>
  conversation.complete(question(more), { token: key.api_key, signal: signal! })

test('Calls of a key at once stay within its tokens a day, and the error names the cap and the reset', async () => {
  const key = await createKey(20)
  const refused: Response[] = []
  const asking = Array.from({ length: 12 }, async () => {
    const reply = await ask(key, { model: 'slow' })
    if (reply.status === 429) refused.push(reply)
    return reply.status
  })
  await expect.poll(() => refused.length).toBe(11)
  release()
  expect((await Promise.all(asking)).filter((status) => status === 200)).toHaveLength(1)
  for (const reply of refused) {
    expect(await reply.text()).toMatch(/its 20 tokens a day.*\d{4}-\d\d-\d\dT00:00:00\.000Z/)
    expect(Number(reply.headers.get('retry-after'))).toBeLessThan(60)
  }
  expect(await used(key)).toBe(18)
  expect((await ask(key)).status).toBe(200)
  const last = await ask(key)
  expect([last.status, await last.text()]).toEqual([
    429,
    expect.stringContaining('used up its 20 tokens a day'),
  ])
})

test('Two calls of a key that both fit run at once', async () => {
  const key = await createKey(100)
  const more = { model: 'slow', stream: true, max_tokens: 20 }
  const replies = [await ask(key, more), await ask(key, more)]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  release()
  await Promise.all(replies.map((reply) => reply.text()))
  expect(await used(key)).toBe(36)
})

test.each(['/api/chat/completions', '/api/v1/messages', '/api/v1/responses'])(
  'A caller of %s that breaks off frees what was kept for it and has used what it received',
  async (path) => {
    const key = await createKey(20)
    const leaving = new AbortController()
    const text = [{ role: 'user', content: 'How are you?' }]
    const reply = await fetch(conversation.server.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key.api_key}` },
      body: JSON.stringify({
        model: 'slow',
        stream: true,
        ...(path.endsWith('responses') ? { input: text } : { messages: text, max_tokens: 400 }),
      }),
      signal: leaving.signal,
    })
    expect(reply.status).toBe(200)
    await reply.body!.getReader().read()
    expect((await ask(key)).status).toBe(429)
    leaving.abort()
    await expect.poll(() => used(key)).toBeGreaterThan(0)
    expect(await used(key)).toBeLessThan(20)
    expect((await ask(key)).status).toBe(200)
  },
)

test('An answer that fails frees what was kept for it', async () => {
  const key = await createKey(20)
  for (const stream of [true, false])
    expect((await ask(key, { model: 'broken', stream })).status).toBe(400)
  expect((await ask(key)).status).toBe(200)
})
