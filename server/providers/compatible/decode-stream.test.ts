import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatCompletionChunkSchema, chatCompletionSchema } from '#contract/completions.ts'
import { cutBytes, decodePieces, summarize } from '../../testing/play-bytes.ts'
import { toCompletion, toSingleChunk } from './convert-completion.ts'
import { StreamDecoder } from './decode-stream.ts'
import { createFrameGuard } from './guard-frames.ts'
import { parseModels } from './parse-models.ts'

const context = { name: 'Test', secrets: [] }
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`__fixtures__/${name}`, import.meta.url))
const decode = (pieces: readonly Buffer[]) =>
  decodePieces(new StreamDecoder({ faults: context }), pieces)
const decodeFixture = (name: string) => summarize(decode([fixture(name)]))

describe('recorded streams of remote providers', () => {
  it('text with usage in a last frame', () => {
    expect(decodeFixture('text.sse')).toMatchObject({
      content: 'The capital of Sweden is Stockholm 🇸🇪.',
      finish: 'stop',
      usage: { total_tokens: 29, prompt_tokens_details: { cached_tokens: 0 } },
      error: null,
    })
  })

  it.each(['reasoning-content.sse', 'reasoning.sse'])(
    'reasoning in either spelling: %s',
    (name) => {
      expect(decodeFixture(name)).toMatchObject({
        reasoning: 'The user asks for a capital.',
        content: 'Stockholm.',
        finish: 'stop',
      })
    },
  )

  it('tool calls in pieces', () => {
    expect(decodeFixture('tool-calls.sse')).toMatchObject({
      calls: ['0 get_weather ', '0  {"city":', '0  "Oslo"}', '1 get_time {}'],
      finish: 'tool_calls',
    })
  })

  it('tool calls with arguments as an object', () => {
    expect(decodeFixture('tool-calls-whole.sse').calls).toEqual(['0 get_weather {"city":"Oslo"}'])
  })

  it('an error inside the stream', () => {
    const text = decodeFixture('error-in-stream.sse')
    expect(text.content).toBe('Partial')
    expect(text.error).toContain('The server had an error')
  })

  it('an end without the end mark is complete when there was a finish reason', () => {
    expect(decodeFixture('no-end-mark.sse')).toMatchObject({
      content: 'Short.',
      finish: 'stop',
      error: null,
    })
  })

  it('keeps fields it does not know', () => {
    const frames = decode([fixture('text.sse')])
    expect(frames[0]).toMatchObject({
      service_tier: 'default',
      choices: [{ logprobs: null, delta: { refusal: null } }],
    })
  })

  it('row R15: cut at any byte gives text that is a beginning of the whole, and says that it is not complete', () => {
    const bytes = fixture('text.sse')
    const whole = summarize(decode([bytes])).content
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const { content, error, finish } = summarize(decode([bytes.subarray(0, cut)]))
      expect(whole.startsWith(content)).toBe(true)
      expect(error === null).toBe(finish !== null)
    }
  })

  it('row R16: gives the same frames whatever the chunking', () => {
    const names = fc.constantFrom(
      'text.sse',
      'reasoning.sse',
      'tool-calls.sse',
      'reasoning-content.sse',
    )
    fc.assert(
      fc.property(names, fc.array(fc.nat(2500), { maxLength: 30 }), (name, cuts) => {
        const bytes = fixture(name)
        expect(decode(cutBytes(bytes, cuts))).toEqual(decode([bytes]))
      }),
      { numRuns: 300 },
    )
  })
})

describe('whole answers of remote providers', () => {
  const whole = () => toCompletion(JSON.parse(fixture('completion.json').toString()), 'm', context)

  it('are brought into the inner form and keep what is not known', () => {
    const completion = whole()
    expect(chatCompletionSchema.safeParse(completion).success).toBe(true)
    expect(completion).toMatchObject({
      service_tier: 'default',
      choices: [{ message: { content: 'Stockholm.', reasoning_content: 'Easy.' } }],
    })
  })

  it('become one frame where a provider does not stream', () => {
    const frame = toSingleChunk(whole())
    expect(chatCompletionChunkSchema.safeParse(frame).success).toBe(true)
    expect(summarize([frame])).toMatchObject({
      content: 'Stockholm.',
      reasoning: 'Easy.',
      finish: 'stop',
      usage: { total_tokens: 29 },
    })
  })

  it('that are none are 502, whatever they are', () => {
    for (const answer of [null, 1, {}, { choices: 'x' }, { error: { message: 'Broken.' } }])
      expect(() => toCompletion(answer, 'm', context)).toThrow(
        expect.objectContaining({ status: 502 }) as Error,
      )
  })
})

/** Streams of lines that are valid, invalid in many ways, or noise. */
const wildLine = fc.oneof(
  fc.json().map((json) => `data: ${json}`),
  fc
    .record({
      choices: fc.anything(),
      usage: fc.anything(),
      error: fc.option(fc.anything(), { freq: 5 }),
    })
    .map((value) => `data: ${JSON.stringify(value)}`),
  fc
    .array(fc.record({ index: fc.anything(), delta: fc.anything(), finish_reason: fc.anything() }))
    .map((choices) => `data: ${JSON.stringify({ choices })}`),
  fc
    .record({
      content: fc.anything(),
      reasoning: fc.anything(),
      tool_calls: fc.array(fc.anything()),
      role: fc.anything(),
    })
    .map((delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}`),
  fc.string().map((text) => text.replace(/[\r\n]/g, '')),
  fc.constantFrom('data: [DONE]', 'data: {"cut": ', ': comment', 'data:', 'event: error', '\uFEFF'),
)
const wildStream = fc
  .array(fc.tuple(wildLine, fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n', '\r')), {
    maxLength: 12,
  })
  .map((lines) => Buffer.from(lines.flat().join('')))

describe('malformed streams', () => {
  it('row R16: never throw, and every frame fits the schema', () => {
    fc.assert(
      fc.property(wildStream, fc.array(fc.nat(300), { maxLength: 6 }), (bytes, cuts) => {
        const frames = decode(cutBytes(bytes, cuts))
        for (const frame of frames)
          expect('error' in frame || chatCompletionChunkSchema.safeParse(frame).success).toBe(true)
        expect(summarize(frames)).toEqual(summarize(decode([bytes])))
      }),
      { numRuns: 3000 },
    )
  })

  it('row R16: pass the relay as whole lines, each of which is valid by itself, whatever the chunking', () => {
    const pass = (pieces: readonly Buffer[]): string => {
      const guard = createFrameGuard()
      return Buffer.concat([...pieces.map((piece) => guard.push(piece)), guard.end()]).toString()
    }
    const lines = wildStream.map((bytes) => Buffer.from(bytes.toString().replaceAll('\r', '\n')))
    fc.assert(
      fc.property(lines, fc.array(fc.nat(300), { maxLength: 6 }), (bytes, cuts) => {
        const text = pass(cutBytes(bytes, cuts))
        for (const line of text.split('\n'))
          expect(line).toMatch(/^$|^:|^(event|id|retry):|^data: ?(\{.*\}|\[DONE\])$/s)
        expect(text.trimEnd()).toBe(pass([bytes]).trimEnd())
      }),
      { numRuns: 3000 },
    )
  })
})

describe('model lists of remote providers', () => {
  it('are read with what some providers add', () => {
    const models = parseModels(JSON.parse(fixture('models.json').toString()))
    expect(
      models?.map(({ id, name, contextLength, maxOutputTokens }) => [
        id,
        name,
        contextLength,
        maxOutputTokens,
      ]),
    ).toEqual([
      ['vendor/small', 'Vendor: Small', 128000, 16384],
      ['vision-1', 'vision-1', 32768, null],
      ['plain', 'plain', 4096, null],
      ['bare-name', 'bare-name', null, null],
    ])
    expect(
      models?.map(({ capabilities }) => [capabilities['vision'], capabilities['tools']]),
    ).toEqual([
      [false, true],
      [true, false],
      [true, true],
      [true, true],
    ])
  })

  it('of local files are described by their parameters and size on disk', () => {
    const meta = { vocab_type: 1, n_ctx_train: 131072, n_params: 8030261312, size: 4912898304 }
    const odd = { n_params: '8', size: -1 }
    const rows = [
      { id: 'a', meta },
      { id: 'b', description: 'Told.', meta },
      { id: 'c', meta: odd },
    ]
    expect(parseModels(rows)?.map(({ description }) => description)).toEqual([
      '8B, 4.9 GB',
      'Told.',
      null,
    ])
  })

  it('are told apart from other answers', () => {
    for (const answer of [null, 1, 'x', {}, { data: 'x' }]) expect(parseModels(answer)).toBeNull()
    fc.assert(fc.property(fc.jsonValue(), (value) => void parseModels({ data: [value] })))
  })
})
