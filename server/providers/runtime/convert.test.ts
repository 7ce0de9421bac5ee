import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatCompletionChunkSchema } from '#contract/completions.ts'
import type { ServiceError } from '../../lib/errors.ts'
import { cutBytes, decodePieces, summarize } from '../../testing/play-bytes.ts'
import type { ControlRequest } from '../upstream/upstream.ts'
import { toRuntimeRequest } from './convert-request.ts'
import { RuntimeDecoder } from './decode-stream.ts'
import { RuntimeModels } from './list-models.ts'

const context = { name: 'Runtime', secrets: [] }
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`__fixtures__/${name}`, import.meta.url))
const decode = (pieces: readonly Buffer[]) =>
  decodePieces(new RuntimeDecoder({ model: 'qwen3:8b', faults: context }), pieces)
const decodeFixture = (name: string) => summarize(decode([fixture(name)]))

describe('recorded answers of the local runtime', () => {
  it('text, with token counts under the common names and its own', () => {
    expect(decodeFixture('text.ndjson')).toMatchObject({
      content: 'The sky 🌌 is blue.',
      finish: 'stop',
      usage: {
        prompt_tokens: 26,
        completion_tokens: 282,
        total_tokens: 308,
        eval_count: 282,
        'response_token/s': 62.17,
      },
      error: null,
    })
  })

  it('thinking becomes reasoning_content', () => {
    expect(decodeFixture('reasoning.ndjson')).toMatchObject({
      reasoning: 'Okay, the user asks.',
      content: 'Blue.',
    })
  })

  it('tool calls get ids, places and arguments as text', () => {
    expect(decodeFixture('tool-calls.ndjson')).toMatchObject({
      calls: ['0 get_weather {"city":"Oslo"}', '1 get_time {}'],
      finish: 'tool_calls',
    })
  })

  it('an answer that ran out of tokens says so', () => {
    expect(decodeFixture('length.ndjson').finish).toBe('length')
  })

  it('an error line ends the stream with its sentence', () => {
    expect(decodeFixture('error-in-stream.ndjson')).toMatchObject({
      content: 'Partial',
      error: expect.stringContaining('unexpected EOF'),
    })
  })

  it('row R15: cut at any byte keeps the text so far and says that it is not complete', () => {
    const bytes = fixture('text.ndjson')
    for (let cut = 0; cut < bytes.length - 2; cut += 1) {
      const { content, error } = summarize(decode([bytes.subarray(0, cut)]))
      expect('The sky 🌌 is blue.'.startsWith(content)).toBe(true)
      expect(error).toContain('before it was complete')
    }
  })

  it('row R16: never throws, fits the schema and does not depend on the chunking', () => {
    const message = fc.record({
      content: fc.anything(),
      thinking: fc.anything(),
      tool_calls: fc.oneof(fc.anything(), fc.array(fc.anything())),
    })
    const line = fc.oneof(
      fc.json(),
      fc
        .record({
          message,
          done: fc.boolean(),
          eval_count: fc.anything(),
          done_reason: fc.anything(),
        })
        .map((value) => JSON.stringify(value)),
      fc.string(),
      fc.constantFrom('', '{"error":"x"}', '{"cut', '{"done":true}'),
    )
    const stream = fc.array(line, { maxLength: 10 }).map((lines) => Buffer.from(lines.join('\n')))
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 5 }), (bytes, cuts) => {
        const frames = decode(cutBytes(bytes, cuts))
        for (const frame of frames)
          expect('error' in frame || chatCompletionChunkSchema.safeParse(frame).success).toBe(true)
        expect(summarize(frames).content).toBe(summarize(decode([bytes])).content)
      }),
      { numRuns: 2000 },
    )
  })
})

const convert = (body: Record<string, unknown>) => toRuntimeRequest({ messages: [], ...body }, 'm')

describe('requests to the local runtime', () => {
  it('map sampling fields to options', () => {
    const body = {
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      num_ctx: 8192,
      max_tokens: 100,
      stop: 'END',
      frequency_penalty: 1,
      presence_penalty: null,
    }
    expect(convert(body)).toEqual({
      model: 'm',
      messages: [],
      stream: true,
      options: {
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        seed: 7,
        num_ctx: 8192,
        num_predict: 100,
        stop: ['END'],
        frequency_penalty: 1,
      },
    })
    expect(
      convert({
        max_completion_tokens: 5,
        max_tokens: 9,
        stop: ['a', 'b'],
        options: { mirostat: 1 },
      })['options'],
    ).toEqual({
      num_predict: 5,
      stop: ['a', 'b'],
      mirostat: 1,
    })
  })

  it('turn parts into text and images', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,QUJD' } },
      { type: 'text', text: 'b' },
    ]
    expect(convert({ messages: [{ role: 'user', content }] })['messages']).toEqual([
      { role: 'user', content: 'a\nb', images: ['QUJD'] },
    ])
  })

  it('refuse images that would have to be fetched', () => {
    const messages = [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }],
      },
    ]
    expect(() => convert({ messages })).toThrow(
      expect.objectContaining({ status: 400 }) as ServiceError,
    )
  })

  it('turn tool calls and their results into the native form', () => {
    const messages = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c2', function: { name: 'g', arguments: 'not json' } }],
      },
    ]
    expect(convert({ messages })['messages']).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
      },
      { role: 'tool', content: '42', tool_name: 'f' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'g', arguments: { input: 'not json' } } }],
      },
    ])
  })

  it('map formats, thinking and the developer role', () => {
    expect(convert({ response_format: { type: 'json_object' } })['format']).toBe('json')
    expect(
      convert({
        response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
      })['format'],
    ).toEqual({
      type: 'object',
    })
    expect(convert({ reasoning_effort: 'low' })['think']).toBe('low')
    expect(convert({ reasoning_effort: 'none' })['think']).toBe(false)
    expect(convert({ think: true })['think']).toBe(true)
    expect(convert({ messages: [{ role: 'developer', content: 'x' }] })['messages']).toEqual([
      { role: 'system', content: 'x' },
    ])
  })
})

describe('models of the local runtime', () => {
  const show = JSON.parse(fixture('show.json').toString()) as Record<string, unknown>

  const listedBy = (calls: string[]) =>
    new RuntimeModels({
      faults: context,
      control({ path, body }: ControlRequest) {
        calls.push(path)
        const answer: unknown =
          path === '/api/tags'
            ? JSON.parse(fixture('tags.json').toString())
            : show[(body as { model: string }).model]
        return Promise.resolve(answer)
      },
    })

  it('carry capabilities and context length; models that can only embed are marked', async () => {
    const models = await listedBy([]).list(new AbortController().signal)
    expect(models).toMatchObject([
      {
        id: 'qwen3:8b',
        description: 'qwen3, 8.2B, Q4_K_M, 5.2 GB',
        contextLength: 40960,
        created: 1741566350,
        capabilities: { tools: true, reasoning: true, vision: false },
      },
      {
        id: 'far:120b-cloud',
        description: 'far, 116.8B, MXFP4',
        contextLength: 131072,
        capabilities: { vision: true },
      },
      { id: 'embed:latest', embedsOnly: true },
    ])
  })

  it('say when a model only forwards to somebody else', async () => {
    const models = await listedBy([]).list(new AbortController().signal)
    expect(models.map(({ leavesComputer }) => leavesComputer)).toEqual([false, true, false])
  })

  it('are asked for their details once', async () => {
    const calls: string[] = []
    const models = listedBy(calls)
    await models.list(new AbortController().signal)
    await models.list(new AbortController().signal)
    expect(calls.filter((path) => path === '/api/show')).toHaveLength(3)
  })
})
