import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEngineGateway, type EngineGateway } from '../testing/start-engine-gateway.ts'

let gateway: EngineGateway
let client: OpenAI
beforeAll(async () => {
  gateway = await startEngineGateway()
  gateway.addModel('tiny', { contextLength: 512 })
  client = new OpenAI({
    baseURL: `${gateway.server.url}/api/v1`,
    apiKey: gateway.admin,
    maxRetries: 0,
  })
}, 60_000)
afterAll(() => gateway.close())

const asked = {
  model: 'tiny',
  messages: [{ role: 'user' as const, content: 'Hello' }],
  max_tokens: 6,
  seed: 3,
  temperature: 0,
}

interface Replied {
  readonly choices?: readonly { readonly message: unknown }[]
  readonly message?: unknown
}

const requireScores = (
  scores: readonly OpenAI.ChatCompletionTokenLogprob[] | null | undefined,
  text: string,
) => {
  expect(scores!.length).toBeGreaterThan(0)
  expect(scores!.map(({ token }) => token).join('')).toContain(text)
  for (const { token, logprob, bytes, top_logprobs: top } of scores!) {
    expect(logprob).toBeLessThanOrEqual(0)
    expect(Buffer.from(bytes!).toString()).toBe(token)
    expect(top).toHaveLength(2)
    expect(top[0]!.logprob).toBeGreaterThanOrEqual(top[1]!.logprob)
    // Without temperature the model writes the most likely token.
    expect(top[0]!.logprob).toBe(logprob)
  }
}

describe('Probabilities of the built-in engine', () => {
  it('are told with a whole answer', async () => {
    const { choices } = await client.chat.completions.create({
      ...asked,
      logprobs: true,
      top_logprobs: 2,
    })
    expect(choices[0]!.finish_reason).toBe('length')
    requireScores(choices[0]!.logprobs?.content, choices[0]!.message.content!)
  }, 60_000)

  it('are told with the pieces of a stream', async () => {
    const stream = await client.chat.completions.create({
      ...asked,
      stream: true,
      logprobs: true,
      top_logprobs: 2,
    })
    const scores: OpenAI.ChatCompletionTokenLogprob[] = []
    let text = ''
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? ''
      scores.push(...(choices[0]?.logprobs?.content ?? []))
    }
    expect(text).not.toBe('')
    requireScores(scores, text)
  }, 60_000)

  it('are left out where nobody asks for them, and refused in words where they cannot be told', async () => {
    const { choices } = await client.chat.completions.create(asked)
    expect(choices[0]!.logprobs).toBeUndefined()
    await expect(
      client.chat.completions.create({ ...asked, logprobs: true, top_logprobs: 21 }),
    ).rejects.toThrow(/^400 .*"top_logprobs" must be a whole number up to 20/)
    const text = { model: 'tiny', prompt: 'Hello', max_tokens: 3 }
    await expect(client.completions.create({ ...text, logprobs: 2 })).rejects.toThrow(
      /^400 .*no probabilities for continued texts/,
    )
    await expect(client.completions.create({ ...text, suffix: 'End' })).rejects.toThrow(
      /^400 .*does not fill in the middle/,
    )
  }, 60_000)
})

describe('Penalties of the built-in engine', () => {
  it.each(['/api/chat/completions', '/llmhost/api/chat'])(
    'change what a model writes (%s)',
    async (path) => {
      const write = async (penalties: Record<string, number>) => {
        const sampling = {
          seed: 3,
          temperature: 0,
          repeat_penalty: 1,
          num_predict: 40,
          ...penalties,
        }
        const { model, messages } = asked
        const body = { model, messages, stream: false, ...sampling, options: sampling }
        const reply = await gateway.post(path, body)
        const { choices, message } = (await reply.json()) as Replied
        return message ?? choices![0]!.message
      }
      const plain = await write({})
      expect(await write({})).toEqual(plain)
      expect(await write({ presence_penalty: 100 })).not.toEqual(plain)
      expect(await write({ frequency_penalty: 100 })).not.toEqual(plain)
    },
    60_000,
  )
})
