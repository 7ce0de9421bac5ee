import { afterEach, describe, expect, it } from 'vitest'
import {
  chatCompletionChunkSchema,
  chatCompletionSchema,
  type ChatCompletionChunk,
} from '#contract/completions.ts'
import { ServiceError } from '../lib/errors.ts'
import type { CompletionFrame, ErrorFrame, Provider } from '../providers/provider.ts'
import type { FakeUpstream } from './fake-upstream/fake-server.ts'
import type { Script } from './fake-upstream/script.ts'

/** A provider connected to the fake of its upstream. */
export interface ConformanceTarget {
  readonly provider: Provider
  readonly upstream: FakeUpstream
  close(): Promise<void>
}

/** Part of answers that not every kind of upstream has. */
export type OptionalPart = 'reasoning' | 'tools' | 'images'

type Start = (options?: { script?: Script }) => Promise<ConformanceTarget>

const isError = (frame: CompletionFrame): frame is ErrorFrame => 'error' in frame

interface Heard {
  readonly chunks: ChatCompletionChunk[]
  readonly content: string
  readonly reasoning: string
  readonly error: ErrorFrame['error'] | null
  readonly finish: string | null | undefined
  readonly usage: Record<string, unknown> | null | undefined
}

/** Returns everything a provider streams for one user message. */
export async function hear(provider: Provider, model: string, text: string): Promise<Heard> {
  const { signal } = new AbortController()
  const frames: CompletionFrame[] = []
  const body = { model: 'replaced', messages: [{ role: 'user', content: text }] }
  for await (const frame of provider.stream({ model, body, signal })) frames.push(frame)
  const chunks = frames.filter((frame): frame is ChatCompletionChunk => !isError(frame))
  const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta))
  return {
    chunks,
    content: deltas.map((delta) => delta.content ?? '').join(''),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    error: frames.find(isError)?.error ?? null,
    finish: chunks.flatMap((chunk) => chunk.choices).findLast((choice) => choice.finish_reason)
      ?.finish_reason,
    usage: chunks.findLast((chunk) => chunk.usage)?.usage,
  }
}

async function failureOf(run: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ServiceError)) throw new Error('expected a ServiceError', { cause: error })
  return error
}

function describeAnswers(start: Start, without: readonly OptionalPart[]): void {
  const has = (part: OptionalPart): boolean => !without.includes(part)

  it('streams text that fits the schema and ends with a finish reason and the token counts', async () => {
    const target = await start()
    const heard = await hear(target.provider, 'echo', 'Ett svar på svenska 🙂 med två rader.\nJa.')
    expect(heard.content).toBe('Ett svar på svenska 🙂 med två rader.\nJa.')
    expect(heard.error).toBeNull()
    expect(heard.finish).toBe('stop')
    expect(heard.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 })
    for (const chunk of heard.chunks)
      expect(chatCompletionChunkSchema.safeParse(chunk).success).toBe(true)
    expect(target.upstream.requests.at(-1)?.json?.['model']).toBe('echo')
  })

  it.runIf(has('reasoning'))('hands on reasoning apart from the answer', async () => {
    const target = await start()
    const heard = await hear(target.provider, 'reasoning', 'Why?')
    expect(heard.reasoning).toBe('First I look at the question.')
    expect(heard.content).toBe('Then I answer it.')
  })

  it.runIf(has('tools'))('hands on tool calls with their arguments as JSON text', async () => {
    const target = await start()
    const heard = await hear(target.provider, 'tools', 'Weather?')
    const call = heard.chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])[0]
    expect(call).toMatchObject({ index: 0, type: 'function', function: { name: 'get_weather' } })
    expect(call?.id).toEqual(expect.any(String))
    expect(JSON.parse(call?.function?.arguments ?? '')).toEqual({ city: 'Örebro', days: 2 })
    expect(heard.finish).toBe('tool_calls')
  })

  const complete = (target: ConformanceTarget, text: string) =>
    target.provider.complete({
      model: 'echo',
      body: { messages: [{ role: 'user', content: text }] },
      signal: new AbortController().signal,
    })

  it('gives a whole answer with text and usage', async () => {
    const answer = await complete(await start(), 'two words')
    expect(chatCompletionSchema.safeParse(answer).success).toBe(true)
    expect(answer.choices[0]?.message.content).toBe('two words')
    expect(answer.usage).toMatchObject({ total_tokens: 18 })
  })

  it.runIf(has('reasoning'))('gives reasoning apart in a whole answer', async () => {
    const answer = await complete(await start(), '/reasoning')
    expect(answer.choices[0]?.message.reasoning_content).toBe('First I look at the question.')
  })

  it.runIf(has('tools'))('gives tool calls in a whole answer', async () => {
    const called = (await complete(await start(), '/tools')).choices[0]
    expect(called?.message.content).toBeNull()
    expect(called?.finish_reason).toBe('tool_calls')
    expect(called?.message.tool_calls?.[0]?.function?.name).toBe('get_weather')
  })

  it.runIf(has('images'))('takes images', async () => {
    const target = await start()
    const content = [
      { type: 'text', text: '/image' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ]
    const call = {
      model: 'echo',
      body: { messages: [{ role: 'user', content }] },
      signal: new AbortController().signal,
    }
    const answer = await target.provider.complete(call)
    expect(answer.choices[0]?.message.content).toContain('iVBORw0KGgo=')
  })
}

function describeEndings(start: Start): void {
  it('closes the upstream within a second when the caller aborts, and ends without an error (row R22)', async () => {
    const target = await start()
    const controller = new AbortController()
    const body = { messages: [{ role: 'user', content: '/slow' }] }
    const frames = target.provider.stream({ model: 'echo', body, signal: controller.signal })
    await frames.next()
    controller.abort()
    const rest: CompletionFrame[] = []
    for await (const frame of frames) rest.push(frame)
    expect(rest.filter(isError)).toEqual([])
    await expect.poll(() => target.upstream.openStreams(), { timeout: 1000 }).toBe(0)
  })

  it('ends without frames when the caller aborts before the first byte', async () => {
    const target = await start()
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const body = { messages: [{ role: 'user', content: 'hi' }] }
    for await (const frame of target.provider.stream({
      model: 'silent',
      body,
      signal: controller.signal,
    })) {
      expect('choices' in frame && frame.choices[0]?.delta.content).toBeFalsy()
    }
    await expect.poll(() => target.upstream.openStreams(), { timeout: 1000 }).toBe(0)
  })

  it('closes the upstream when the reader stops reading', async () => {
    const target = await start()
    const body = { messages: [{ role: 'user', content: '/slow' }] }
    for await (const _ of target.provider.stream({
      model: 'echo',
      body,
      signal: new AbortController().signal,
    }))
      break
    await expect.poll(() => target.upstream.openStreams(), { timeout: 1000 }).toBe(0)
  })

  it('holds the upstream back while nobody reads', async () => {
    const text = 'x'.repeat(4096)
    const target = await start({
      script: async () => ({
        steps: Array.from({ length: 12_000 }, () => ({ kind: 'content', text })),
      }),
    })
    const body = { messages: [] }
    const frames = target.provider.stream({
      model: 'echo',
      body,
      signal: new AbortController().signal,
    })
    await frames.next()
    let before = -1
    await expect
      .poll(
        () => {
          const stood = target.upstream.bytesWritten() === before
          before = target.upstream.bytesWritten()
          return stood
        },
        { interval: 200, timeout: 5000 },
      )
      .toBe(true)
    expect(before).toBeLessThan(24 * 1024 * 1024)
    let count = 0
    for await (const frame of frames)
      if (!isError(frame) && frame.choices[0]?.delta.content) count += 1
    expect(count).toBeGreaterThan(11_990)
  })
}

function describeFaults(start: Start): void {
  it.each([
    ['/error 400', 400, 'The parameter "temperature" must be at most 2.'],
    ['/error 404', 400, 'The model does not exist.'],
    ['/error 413', 413, 'The prompt is too large.'],
    ['/error 422', 400, 'The field "messages" is invalid.'],
    ['/error 401', 502, 'rejected the API key'],
    ['/error 403', 502, 'rejected the API key'],
    ['/error 500', 502, 'The server has a problem.'],
    ['/error 503', 503, 'The server has a problem.'],
    ['/error 504', 504, 'The server has a problem.'],
    ['/html 502', 502, 'status 502'],
    ['/redirect', 502, 'redirects'],
  ])('row R18: %s before the first byte is thrown as %i', async (text, status, sentence) => {
    const target = await start()
    const failure = await failureOf(hear(target.provider, 'echo', text))
    expect(failure.status).toBe(status)
    expect(failure.message).toContain(sentence)
    expect(failure.message).not.toMatch(/canary|10\.1\.2\.3|127\.0\.0\.1|<html/)
    expect(target.upstream.requests.length).toBeLessThanOrEqual(3)
  })
}

function describeOtherFaults(start: Start): void {
  it('passes 429 on with its Retry-After when the wait is long', async () => {
    const target = await start()
    const failure = await failureOf(hear(target.provider, 'echo', '/busy 7'))
    expect(failure).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '7' },
      facts: {
        provider_status: 429,
        retry_after: 7,
        connection: expect.any(String),
        provider_said: 'Too many requests, slow down.',
      },
    })
    expect(failure.message).toContain('asks to wait 7 seconds')
    expect(target.upstream.requests).toHaveLength(1)
  })

  it('answers an unknown model with 400 and the words of the upstream', async () => {
    const target = await start()
    const failure = await failureOf(hear(target.provider, 'nobody', 'hi'))
    expect(failure.status).toBe(400)
    expect(failure.message).toContain('nobody')
  })

  it.each(['/failing', '/cut'])(
    'row R15: %s in mid-stream keeps the text and ends with an error frame',
    async (text) => {
      const target = await start()
      const heard = await hear(target.provider, 'echo', text)
      expect(heard.content).toBe('Partial text before')
      expect(heard.error).toMatchObject({
        status: 502,
        message: expect.any(String),
        code: expect.any(String),
      })
    },
  )

  it('skips noise and keeps the rest', async () => {
    const target = await start()
    const heard = await hear(target.provider, 'noisy', 'hi')
    expect(heard.content).toBe('Before after.')
    expect(heard.error).toBeNull()
  })

  it('says that an answer is incomplete when a part of it cannot be read', async () => {
    const target = await start()
    const heard = await hear(target.provider, 'broken', 'hi')
    expect(heard.content).toBe('Before ')
    expect(heard.error).toMatchObject({ status: 502, code: 'upstream_incomplete' })
  })

  it('row 10: never sends cookies, and asks for no compression', async () => {
    const target = await start()
    await hear(target.provider, 'echo', 'hi')
    const headers = target.upstream.requests.at(-1)?.headers ?? {}
    expect(headers.cookie).toBeUndefined()
    expect(headers['accept-encoding']).toBe('identity')
  })
}

/**
 * Tests the behaviour required of every model provider, whatever its format, except for the parts
 * it is `without`.
 */
export function describeProviderConformance(
  name: string,
  start: Start,
  without: readonly OptionalPart[] = [],
): void {
  describe(`${name} conforms`, () => {
    let target: ConformanceTarget
    const begin: Start = async (options) => (target = await start(options))
    afterEach(() => target.close())

    describeAnswers(begin, without)
    describeEndings(begin)
    describeFaults(begin)
    describeOtherFaults(begin)
  })
}
