import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'

let conversation: Conversation
let client: OpenAI
beforeAll(async () => {
  conversation = await startConversation()
  client = new OpenAI({
    baseURL: `${conversation.server.url}/openai`,
    apiKey: conversation.token,
    maxRetries: 0,
  })
})
afterAll(() => conversation.close())

const post = (body: unknown, path = '/openai/responses') =>
  conversation.server.call('POST', path, { token: conversation.token, body })
const upstreamBody = () => conversation.upstream.requests.at(-1)!.json!

interface StreamEvent {
  readonly type: string
  readonly sequence_number: number
  readonly delta?: string
  readonly response?: {
    status: string
    output: Record<string, unknown>[]
    error: unknown
    usage: unknown
  }
}

async function readEvents(body: Record<string, unknown>): Promise<StreamEvent[]> {
  const response = await post({ ...body, stream: true })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const events = (await response.text())
    .split('\n\n')
    .filter((text) => text !== '')
    .map((text) => {
      const [, name, data] = /^event: ([\w.]+)\ndata: (.*)$/s.exec(text) ?? []
      const event = JSON.parse(data ?? '') as StreamEvent
      expect(event.type).toBe(name)
      return event
    })
  expect(events.map(({ sequence_number: number }) => number)).toEqual(
    events.map((_, index) => index),
  )
  return events
}
const typesOf = (events: readonly StreamEvent[]) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])

const tools = [
  {
    type: 'function' as const,
    name: 'get_weather',
    strict: false,
    parameters: { type: 'object', properties: {} },
  },
]

describe('The responses endpoint', () => {
  test.each([
    '/openai/responses',
    '/api/responses',
    '/api/v1/responses',
    '/llmhost/v1/responses',
    '/ollama/v1/responses',
  ])('answers at %s', async (path) => {
    const response = await post({ model: 'echo', input: 'two words', store: true }, path)
    expect(await response.json()).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      model: 'echo',
      store: false,
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'two words', annotations: [] }],
        },
      ],
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    })
  })

  test('streams text in the order of the responses API', async () => {
    const events = await readEvents({ model: 'echo', input: 'one two three' })
    expect(typesOf(events)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map(({ delta }) => delta ?? '').join('')).toBe('one two three')
    expect(events.at(-1)!.response).toMatchObject({
      status: 'completed',
      usage: { total_tokens: 18 },
    })
  })

  test.each(['summary', 'generate_summary'])(
    'gives thoughts as a summary to callers who ask for one by %s',
    async (name) => {
      const text = 'First I look at the question.'
      const asked = {
        model: 'reasoning',
        input: 'Why?',
        reasoning: { effort: 'low' as const, [name]: 'auto' },
        include: ['reasoning.encrypted_content' as const],
      }
      const whole = await client.responses.create(asked)
      expect(whole.output[0]).toMatchObject({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text }],
        encrypted_content: expect.any(String),
      })
      expect(whole.output[0]).not.toHaveProperty('content')
      const seen: OpenAI.Responses.ResponseStreamEvent[] = []
      for await (const event of client.responses.stream(asked)) seen.push(event)
      const told = seen.filter(
        (event) => 'item_id' in event && event.type.startsWith('response.reasoning'),
      )
      expect(
        told.map(({ type }) => type).filter((type, place, all) => type !== all[place - 1]),
      ).toEqual([
        'response.reasoning_summary_part.added',
        'response.reasoning_summary_text.delta',
        'response.reasoning_summary_text.done',
        'response.reasoning_summary_part.done',
      ])
      expect(told.every((event) => 'summary_index' in event && event.summary_index === 0)).toBe(
        true,
      )
      expect(
        told
          .flatMap((event) =>
            event.type === 'response.reasoning_summary_text.delta' ? event.delta : [],
          )
          .join(''),
      ).toBe(text)
      const last = seen.at(-1)
      expect(last?.type === 'response.completed' && last.response.output[0]).toMatchObject({
        summary: [{ type: 'summary_text', text }],
      })
      // The reasoning, sent back by the client, reaches the model again.
      await client.responses.create({
        model: 'reasoning',
        input: [...whole.output, { role: 'user', content: 'And?' }] as never,
      })
      expect(upstreamBody()['messages']).toMatchObject([
        { role: 'assistant', reasoning_content: text },
        { role: 'user' },
      ])
    },
  )

  test('streams tool calls and reasoning as items of their own', async () => {
    const called = await readEvents({ model: 'tools', input: 'Weather?', tools })
    expect(typesOf(called).slice(2, -1)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ])
    expect(called.at(-1)!.response!.output).toMatchObject([
      {
        type: 'function_call',
        call_id: 'call_1',
        name: 'get_weather',
        arguments: '{"city":"Örebro","days":2}',
        status: 'completed',
      },
    ])
    const reasoned = await readEvents({ model: 'reasoning', input: 'Why?' })
    expect(reasoned.at(-1)!.response!.output).toMatchObject([
      {
        type: 'reasoning',
        content: [{ type: 'reasoning_text', text: 'First I look at the question.' }],
      },
      { type: 'message', content: [{ text: 'Then I answer it.' }] },
    ])
  })

  test('sends items of all kinds to the model in its own form', async () => {
    await post({
      model: 'echo',
      instructions: 'Be brief.',
      max_output_tokens: 50,
      reasoning: { effort: 'low' },
      text: {
        format: { type: 'json_schema', name: 'city', schema: { type: 'object' }, strict: true },
      },
      tools: [...tools, { type: 'web_search' }],
      tool_choice: { type: 'function', name: 'get_weather' },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
          ],
        },
        { type: 'reasoning', summary: [] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking' }] },
        { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}' },
        { type: 'function_call', call_id: 'c2', name: 'get_weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'Snow' },
      ],
    })
    const call = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'get_weather', arguments: '{}' },
    })
    expect(upstreamBody()).toEqual({
      model: 'echo',
      stream: false,
      max_tokens: 50,
      reasoning_effort: 'low',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: { type: 'object' }, strict: true },
      },
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            parameters: { type: 'object', properties: {} },
            strict: false,
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
        { role: 'assistant', content: 'Looking', tool_calls: [call('c1'), call('c2')] },
        { role: 'tool', tool_call_id: 'c1', content: 'Snow' },
      ],
    })
  })

  test.each([
    [{ previous_response_id: 'resp_1' }, 400, 'not stored'],
    [{ background: true }, 400, 'background'],
    [{ model: 'no-such-model' }, 400, 'Model not found'],
    [{ input: [{ role: 'robot', content: 'x' }] }, 400, 'role'],
    [{ input: 17 }, 422, 'input'],
    [{ input: '/busy 9' }, 429, 'Too many'],
    [{ input: '/error 500' }, 502, 'failed'],
  ])('refuses %j with %i and a sentence', async (change, status, words) => {
    const response = await post({ model: 'echo', input: 'Hello', stream: true, ...change })
    expect(response.status).toBe(status)
    const body = (await response.json()) as { error: { message: string } }
    expect(body).toMatchObject({ detail: expect.anything() })
    expect(body.error.message).toContain(words)
  })

  test.each(['/failing', '/cut'])(
    'row R15: %s in mid-stream keeps the text and ends as failed',
    async (input) => {
      const events = await readEvents({ model: 'echo', input })
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: {
          status: 'failed',
          error: { code: 'server_error', message: expect.any(String) },
        },
      })
      expect(events.at(-1)!.response!.output).toMatchObject([
        { content: [{ text: 'Partial text before' }], status: 'incomplete' },
      ])
      expect(events.at(-2)).toMatchObject({
        type: 'response.output_item.done',
        item: { status: 'incomplete' },
      })
    },
  )
})

describe('The official SDK', () => {
  test('gets a whole answer and a stream that adds up to the same', async () => {
    const whole = await client.responses.create({ model: 'text', input: 'Hello' })
    expect(whole.output_text).toContain('Hello from the scripted model.')
    const streamed = await client.responses
      .stream({ model: 'text', input: 'Hello' })
      .finalResponse()
    expect(streamed.output_text).toBe(whole.output_text)
    expect(streamed.usage?.total_tokens).toBe(18)
  })

  test('goes through a round of tools', async () => {
    const first = await client.responses
      .stream({ model: 'tools', input: 'Weather?', tools })
      .finalResponse()
    const call = first.output.find((item) => item.type === 'function_call')!
    const second = await client.responses.create({
      model: 'echo',
      tools,
      input: [
        { role: 'user', content: 'Weather?' },
        {
          type: 'function_call',
          call_id: call.call_id,
          name: call.name,
          arguments: call.arguments,
        },
        { type: 'function_call_output', call_id: call.call_id, output: 'Snow' },
      ],
    })
    expect(second.output_text).toBe('Weather?')
  })

  test('cancels the upstream by its abort', async () => {
    const aborts = conversation.upstream.aborts()
    const stream = await client.responses.create({ model: 'slow', input: 'Hello', stream: true })
    for await (const event of stream)
      if (event.type === 'response.output_text.delta') stream.controller.abort()
    await expect.poll(() => conversation.upstream.aborts()).toBe(aborts + 1)
  })
})
