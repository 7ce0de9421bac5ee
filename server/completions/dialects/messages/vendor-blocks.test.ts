import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { startFakeMessages } from '../../../testing/fake-upstream/fake-messages.ts'
import type { FakeUpstream } from '../../../testing/fake-upstream/fake-server.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../../testing/start-extended-conversation.ts'

/** Set to let a filter change every request, so that none is relayed as it came. */
let isFiltered = false
let conversation: ExtendedConversation
let native: FakeUpstream
beforeAll(async () => {
  native = await startFakeMessages({ key: 'native-key' })
  const inlet = (body: ChatCompletionRequest): ChatCompletionRequest => ({ ...body })
  conversation = await startExtendedConversation(() => ({
    filters: () => (isFiltered ? { inlets: [inlet], stream: [] } : null),
  }))
  const { server, token } = conversation
  const connection = {
    kind: 'messages',
    name: 'Native',
    url: native.url,
    key: 'native-key',
    prefix_id: 'native',
  }
  await server.call('POST', '/api/v1/connections', { token, body: connection })
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  await native.close()
})
beforeEach(() => {
  isFiltered = false
})

const text = { type: 'text', text: 'What is this?' }
const BLOCKS = {
  'a document stored at the vendor': { type: 'document', source: { type: 'file', file_id: 'f1' } },
  'a picture stored at the vendor': { type: 'image', source: { type: 'file', file_id: 'f2' } },
  'a kind that is not known here': { type: 'novelty', x: 1 },
}
const ask = (model: string, content: readonly object[]) =>
  conversation.call('/api/v1/messages', {
    model,
    max_tokens: 9,
    messages: [{ role: 'user', content }],
  })

describe.each(Object.entries(BLOCKS))('A block with %s', (_, block) => {
  test.each([false, true])('reaches a provider of the format (filtered: %s)', async (filtered) => {
    isFiltered = filtered
    const reply = await ask('native.text', [block, text])
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    expect(native.requests.at(-1)!.json).toMatchObject({ messages: [{ content: [block, text] }] })
  })

  test('in the result of a tool reaches a provider of the format through filters', async () => {
    isFiltered = true
    const call = { type: 'tool_use', id: 't1', name: 'look', input: {} }
    const result = { type: 'tool_result', tool_use_id: 't1', content: [text, block] }
    const reply = await conversation.call('/api/v1/messages', {
      model: 'native.text',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result] },
      ],
    })
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    expect(native.requests.at(-1)!.json).toMatchObject({
      messages: [{}, {}, { content: [{ ...result, content: [text, block] }] }],
    })
  })

  test('in a question is refused by its place for other providers', async () => {
    const reply = await ask('text', [text, block])
    expect(reply.status).toBe(400)
    const { error } = (await reply.json()) as { error: { message: string } }
    expect(error.message).toMatch(/messages\[0\]\.content\[1\]/)
  })
})

test('blocks whose treatment is decided are left out, not refused, for other providers', async () => {
  const upload = { type: 'container_upload', file_id: 'f3' }
  const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }
  expect((await ask('text', [upload, found, text])).status).toBe(200)
})

test('a refused block behind results of tools is named by its own place', async () => {
  const call = { type: 'tool_use', id: 't1', name: 'look', input: {} }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'Seen' }
  const reply = await conversation.call('/api/v1/messages', {
    model: 'text',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result, text, BLOCKS['a document stored at the vendor']] },
    ],
  })
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('messages[2].content[2]')
})
