import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../testing/start-extended-conversation.ts'
import type { RequestFilters } from '../../extensions/filters.ts'

/** A model that never stops, in chunks of ten thousand words. */
const PIECE = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'word '.repeat(10_000) }, finish_reason: null }] })}\n\n`

let provider: Server
let conversation: ExtendedConversation
let isFiltered = false

beforeAll(async () => {
  provider = createServer((request, response) => {
    if (request.method === 'GET')
      return void response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'text', object: 'model' }] }),
      )
    if (request.url === '/v1/responses')
      return void request.resume().once('end', () => response.writeHead(404).end())
    const write = (): void => {
      while (!response.destroyed)
        if (!response.write(PIECE)) return void response.once('drain', write)
    }
    request.resume().once('end', () => {
      response.on('error', () => undefined).writeHead(200, { 'content-type': 'text/event-stream' })
      write()
    })
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  const filters: RequestFilters = { inlets: [], stream: [(chunk) => chunk] }
  conversation = await startExtendedConversation(
    () => ({ filters: () => (isFiltered ? filters : null) }),
    {
      environment: { OPENAI_API_BASE_URLS: url },
    },
  )
})
afterAll(async () => {
  provider.closeAllConnections()
  provider.close()
  await conversation.close()
})

const messages = [{ role: 'user', content: 'Hello' }]

test('An answer that never ends is told to be too long where it would have to be kept until its end, and the other side is left', async () => {
  isFiltered = true
  const asked = { model: 'text', messages, max_tokens: 9 }
  const wholes = ['/api/chat/completions', '/api/v1/messages', '/openai/responses'].map((path) =>
    conversation.call(path, path.endsWith('responses') ? { model: 'text', input: 'Hello' } : asked),
  )
  for (const reply of await Promise.all(wholes)) {
    expect(reply.status).toBe(502)
    expect(await reply.text()).toContain('wrote more than')
  }
  isFiltered = false
  const streamed = await conversation.call('/openai/responses', {
    model: 'text',
    input: 'Hello',
    stream: true,
  })
  const last = (await streamed.text()).split('\n').findLast((line) => line.startsWith('data: '))!
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
    type: 'response.failed',
    response: { error: { message: expect.stringContaining('wrote more than') as string } },
  })
  await expect
    .poll(() => new Promise((resolve) => provider.getConnections((_, count) => resolve(count))))
    .toBeLessThanOrEqual(1)
}, 60_000)
