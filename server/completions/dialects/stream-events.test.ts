import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { ServiceError } from '../../lib/errors.ts'
import { writeEvents, type DialectStream } from './dialect-stream.ts'
import { MessagesStream } from './messages/stream-events.ts'
import { toResponsesAnswer } from './responses/convert-answer.ts'
import { ResponsesStream } from './responses/stream-events.ts'

type Delta = ChatCompletionChunk['choices'][number]['delta']

interface Event {
  readonly type: string
  readonly index?: number
  readonly delta?:
    | string
    | {
        readonly text?: string
        readonly thinking?: string
        readonly partial_json?: string
        readonly stop_reason?: string
      }
  readonly output_index?: number
  readonly sequence_number?: number
  readonly content_block?: { readonly type: string; readonly id?: string }
  readonly item?: Readonly<Record<string, unknown>>
  readonly response?: { readonly output: readonly Record<string, unknown>[] }
}

const call = (index: number, name: string | undefined, args: string): Delta => ({
  tool_calls: [
    {
      index,
      ...(name && { id: `call_${index}` }),
      function: { ...(name && { name }), arguments: args },
    },
  ],
})
const text = fc.string({ unit: 'binary', minLength: 1 }).map((content): Delta => ({ content }))
const reasoning = fc
  .string({ minLength: 1 })
  .map((content): Delta => ({ reasoning_content: content }))
const calls = fc.record({
  index: fc.nat(3),
  name: fc.constantFrom('a', 'b', undefined),
  args: fc.string(),
})
const deltas = fc.array(
  fc.oneof(
    text,
    reasoning,
    calls.map(({ index, name, args }) => call(index, name, args)),
  ),
  { maxLength: 20 },
)

const push = (stream: DialectStream, delta: Delta, finish: string | null = null): string =>
  writeEvents(stream.push({ choices: [{ index: 0, delta, finish_reason: finish }] }))

function endAtLimit(stream: DialectStream): string {
  return push(stream, {}, 'length') + writeEvents(stream.finish())
}

function play(stream: DialectStream, sent: readonly Delta[]): Event[] {
  const chunks = sent.map((delta) => push(stream, delta))
  return readEvents(chunks.join('') + writeEvents(stream.finish()))
}

const readEvents = (stream: string): Event[] =>
  [...stream.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, name, data]) => {
    const event = JSON.parse(data!) as Event
    expect(event.type).toBe(name)
    return event
  })

const joined = (sent: readonly Delta[], field: 'content' | 'reasoning_content') =>
  sent.map((delta) => delta[field] ?? '').join('')
const hasText = (sent: readonly Delta[]) => sent.some(({ content }) => content)

describe('Events of the messages API', () => {
  const start = () => new MessagesStream({ model: 'm', showsThinking: true })
  const deltaOf = ({ delta }: Event) => (typeof delta === 'object' ? delta : {})

  it('open one block at a time, number them without gaps and lose no text, whatever the model sends', () => {
    const run = fc.property(deltas, (sent) => {
      const events = play(start(), sent)
      const order = events
        .filter(({ type }) => /^content_block_(start|stop)$/.test(type))
        .map(({ type, index }) => [type, index])
      const expected = Array.from({ length: order.length / 2 }, (_, index) => [
        ['content_block_start', index],
        ['content_block_stop', index],
      ])
      expect(order).toEqual(expected.flat())
      expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop'])
      expect(events.map((event) => deltaOf(event).text ?? '').join('')).toBe(
        joined(sent, 'content').toWellFormed(),
      )
      expect(events.map((event) => deltaOf(event).thinking ?? '').join('')).toBe(
        joined(sent, 'reasoning_content'),
      )
    })
    fc.assert(run)
  })

  it('keep the arguments of several calls apart, also when their pieces come mixed', () => {
    const events = play(start(), [
      call(0, 'a', '{"x"'),
      call(1, 'b', '{'),
      call(0, undefined, ':1}'),
      call(1, undefined, '}'),
    ])
    const argumentsOf = (index: number) =>
      events
        .map((event) => (event.index === index ? (deltaOf(event).partial_json ?? '') : ''))
        .join('')
    expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{"x":1}', '{}'])
  })

  it('begin a call when its name is known, and tell whole calls under one index apart by their ids', () => {
    const late = play(start(), [call(0, undefined, '{"a"'), call(0, 'named', ':1}')])
    expect(late.map((event) => deltaOf(event).partial_json ?? '').join('')).toBe('{"a":1}')
    const same = ['one', 'two'].map((id): Delta => ({
      tool_calls: [{ index: 0, id, function: { name: 'n', arguments: '{}' } }],
    }))
    const blocks = play(start(), same).flatMap(({ content_block: block }) => block?.id ?? [])
    expect(blocks).toEqual(['one', 'two'])
  })

  it('tell a silent line that the answer has begun, and then with pings that it goes on', () => {
    const stream = start()
    expect(readEvents(stream.keepAlive()).map(({ type }) => type)).toEqual([
      'message_start',
      'ping',
    ])
    expect(stream.keepAlive()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
    expect(
      readEvents(writeEvents(stream.push({ choices: [{ index: 0, delta: { content: 'x' } }] })))[0]!
        .type,
    ).toBe('content_block_start')
  })
})

describe('Events of the responses API', () => {
  it('repeat the same of a plain request as of one that says what holds anyway', () => {
    const model = 'a "quoted" @2@ model'
    const [plain, said] = [
      { model, input: '' },
      { model, input: '', metadata: {} },
    ].map((body) => {
      const { response } = play(new ResponsesStream(body), [])[0]!
      return { ...response, id: '', created_at: 0 }
    })
    expect(plain).toEqual(said)
    expect(plain).toMatchObject({ model, object: 'response', status: 'in_progress', tools: [] })
  })

  it('are numbered without gaps and add up to the output, whatever the model sends', () => {
    const run = fc.property(deltas, (sent) => {
      const events = play(new ResponsesStream({ model: 'm', input: 'x' }), sent)
      expect(events.map(({ sequence_number: number }) => number)).toEqual(
        events.map((_, index) => index),
      )
      const added = events
        .filter(({ type }) => type === 'response.output_item.added')
        .map(({ output_index: place }) => place)
      expect(added).toEqual(added.map((_, index) => index))
      const done = events.filter(({ type }) => type === 'response.output_item.done')
      expect(done).toHaveLength(added.length)
      const output = JSON.stringify(events.at(-1)!.response!.output)
      expect(events.at(-1)!.response!.output).toHaveLength(added.length)
      expect(output.includes('output_text')).toBe(hasText(sent))
    })
    fc.assert(run)
  })

  it('hold in the last event what came late for a call', () => {
    const events = play(new ResponsesStream({ model: 'm', input: 'x' }), [
      call(0, 'a', '{"x"'),
      call(1, 'b', '{}'),
      call(0, undefined, ':1}'),
    ])
    expect(events.at(-1)!.response!.output).toMatchObject([
      { arguments: '{"x":1}' },
      { arguments: '{}' },
    ])
  })

  it.each([
    [
      'fails',
      'response.failed',
      (stream: DialectStream) => stream.fail(new ServiceError(503, 'Stopped.')),
    ],
    ['ends at its longest', 'response.incomplete', (stream: DialectStream) => endAtLimit(stream)],
  ])('call only the last item of an answer that %s incomplete', (_, type, end) => {
    const [thought, said] = [{ reasoning_content: 'Hm' }, { content: 'So' }]
    for (const sent of [[thought], [thought, said], [thought, said, call(0, 'a', '{"x"')]]) {
      const stream = new ResponsesStream({ model: 'm', input: 'x' })
      const events = readEvents(
        sent.map((delta) => push(stream, delta)).join('') + writeEvents(end(stream)),
      )
      const statuses = sent.map((__, index) =>
        index === sent.length - 1 ? 'incomplete' : 'completed',
      )
      const done = events
        .filter((event) => event.type === 'response.output_item.done')
        .map(({ item }) => item?.['status'])
      expect(done).toEqual(statuses)
      expect(events.at(-1)).toMatchObject({
        type,
        response: { output: statuses.map((status) => ({ status })) },
      })
    }
  })

  it.each([
    ['length', ['completed', 'completed', 'incomplete']],
    ['stop', ['completed', 'completed', 'completed']],
  ])('hold the same in a whole answer that ended with "%s"', (finish, statuses) => {
    const message = {
      role: 'assistant',
      content: 'So',
      reasoning_content: 'Hm',
      tool_calls: call(0, 'a', '{"x"').tool_calls!,
    }
    const completion = {
      choices: [{ index: 0, message, finish_reason: finish }],
    } as unknown as ChatCompletion
    expect(
      toResponsesAnswer(completion, { model: 'm', input: 'x' }).output.map(
        (item) => item['status'],
      ),
    ).toEqual(statuses)
  })
})
