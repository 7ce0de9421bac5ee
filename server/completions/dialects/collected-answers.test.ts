import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '../../testing/fake-upstream/script.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../testing/start-extended-conversation.ts'

const frame = (delta: object) => ({
  kind: 'raw' as const,
  bytes: `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`,
})
const sealed = { type: 'reasoning.encrypted', index: 0, data: 'sealed', format: 'unknown' }
const script: Script = async ({ model }) => ({
  steps:
    model === 'refusing'
      ? [frame({ refusal: 'I cannot ' }), frame({ refusal: 'say that.' })]
      : [
          frame({
            reasoning_content: 'Thinking',
            reasoning_details: [{ type: 'reasoning.text', index: 1, text: 'Thin' }],
          }),
          frame({ reasoning_details: [{ type: 'reasoning.text', index: 1, text: 'king' }] }),
          frame({ reasoning_details: [sealed] }),
          { kind: 'content', text: 'Said.' },
        ],
})

let conversation: ExtendedConversation
beforeAll(async () => {
  // With a filter on the chunks, whole answers are assembled from them.
  conversation = await startExtendedConversation(
    () => ({ filters: () => ({ inlets: [], stream: [(chunk) => chunk] }) }),
    {
      upstream: { script, models: ['refusing', 'thinking'] },
    },
  )
})
afterAll(() => conversation.close())

const messages = [{ role: 'user', content: 'Hi' }]
const ask = async (path: string, body: object) =>
  (await (await conversation.call(path, body)).json()) as Record<string, unknown>

describe('An answer put together out of pieces keeps', () => {
  test('a refusal, in every dialect', async () => {
    const chat = await ask('/api/chat/completions', { model: 'refusing', messages })
    expect(chat['choices']).toMatchObject([
      { message: { content: null, refusal: 'I cannot say that.' } },
    ])
    expect(
      await ask('/api/v1/messages', { model: 'refusing', max_tokens: 9, messages }),
    ).toMatchObject({
      stop_reason: 'refusal',
      content: [{ type: 'text', text: 'I cannot say that.' }],
    })
    const { output } = await ask('/openai/responses', { model: 'refusing', input: 'Hi' })
    expect(output).toMatchObject([
      { type: 'message', content: [{ type: 'refusal', refusal: 'I cannot say that.' }] },
    ])
  })

  test('what its provider wants back of its thoughts', async () => {
    const details = [{ type: 'reasoning.text', text: 'Thinking' }, sealed]
    const chat = await ask('/api/chat/completions', { model: 'thinking', messages })
    expect(chat['choices']).toMatchObject([
      { message: { reasoning_content: 'Thinking', reasoning_details: details } },
    ])
    const { output } = await ask('/openai/responses', {
      model: 'thinking',
      input: 'Hi',
      include: ['reasoning.encrypted_content'],
    })
    const kept = (output as { encrypted_content: string }[])[0]!.encrypted_content
    expect(JSON.parse(Buffer.from(kept, 'base64').toString('utf8'))).toMatchObject({ details })
  })
})
