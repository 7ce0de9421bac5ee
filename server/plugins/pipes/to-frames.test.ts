import { expect, test } from 'vitest'
import { chatCompletionChunkSchema, type ChatCompletionChunk } from '#contract/completions.ts'
import { FrameMaker } from './to-frames.ts'

const ignore = (): void => undefined

test.each([
  [{ choices: [{ delta: { content: 'text' } }] }, 'text'],
  [{ choices: [{ delta: { content: 7 } }] }, '7'],
  [{ choices: [{ delta: { content: { degrees: 7 } } }] }, '{"degrees":7}'],
  [
    {
      choices: [{ message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }],
      usage: { total_tokens: 3 },
    },
    'whole',
  ],
  [
    {
      id: 7,
      created: 'now',
      model: null,
      choices: [{ index: 'x', delta: { role: 1, content: 'odd', tool_calls: 'none' } }],
      usage: 'much',
    },
    'odd',
  ],
])('%j becomes a chunk that fits the schema', (json, text) => {
  const [frame] = new FrameMaker({ model: 'pipe', tell: ignore }).item({ json })
  const chunk = chatCompletionChunkSchema.parse(frame)
  expect(chunk.choices[0]!.delta.content).toBe(text)
  expect(chunk).toMatchObject({ object: 'chat.completion.chunk', model: 'pipe' })
})

test('arguments of a call become text', () => {
  const calls = [
    { index: 0, id: 'x', function: { name: 'f', arguments: { a: 1 } } },
    null,
    { index: 1, function: { arguments: '{' } },
  ]
  const [frame] = new FrameMaker({ model: 'pipe', tell: ignore }).item({
    json: { choices: [{ delta: { tool_calls: calls } }] },
  })
  expect(chatCompletionChunkSchema.parse(frame).choices[0]!.delta.tool_calls).toEqual([
    { index: 0, id: 'x', function: { name: 'f', arguments: '{"a":1}' } },
    { index: 1, function: { arguments: '{' } },
  ])
})

test('the first chunk of each choice, and no other, has the role', () => {
  const maker = new FrameMaker({ model: 'pipe', tell: ignore })
  const chunkOf = (index: number) => ({
    json: { choices: [{ index, delta: { content: 'x' }, finish_reason: null }] },
  })
  const frames = [{ text: 'x' }, chunkOf(0), chunkOf(1), chunkOf(1)].flatMap((item) =>
    maker.item(item),
  )
  expect(frames).toMatchObject([
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'x' } }] },
    { choices: [{ index: 0, delta: { content: 'x' } }] },
    { choices: [{ index: 1, delta: { role: 'assistant', content: 'x' } }] },
    { choices: [{ index: 1, delta: { content: 'x' } }] },
  ])
  expect(JSON.stringify(frames).match(/"role"/g)).toHaveLength(2)
  expect(
    new FrameMaker({ model: 'pipe', tell: ignore }).end({ form: 'text', text: 'x' }),
  ).toMatchObject([
    { choices: [{ delta: { role: 'assistant' } }] },
    { choices: [{ finish_reason: 'stop' }] },
  ])
})

test('a choice that ends the answer is not followed by another end', () => {
  const maker = new FrameMaker({ model: 'pipe', tell: ignore })
  maker.item({ json: { choices: [{ delta: {}, finish_reason: 'length' }] } })
  expect(maker.end({ form: 'none' })).toEqual([])
  expect(new FrameMaker({ model: 'pipe', tell: ignore }).end({ form: 'none' })).toMatchObject([
    { choices: [{ finish_reason: 'stop' }] },
  ])
})

test('token counts that come before the end stand on the end, where every caller reads them', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
  const counts = { json: { choices: [], usage } }
  const maker = new FrameMaker({ model: 'pipe', tell: ignore })
  expect(maker.item(counts)).toEqual([])
  expect(maker.end({ form: 'none' })).toMatchObject([
    { choices: [{ finish_reason: 'stop' }], usage },
  ])
  const ended = new FrameMaker({ model: 'pipe', tell: ignore })
  ended.item({ json: { choices: [{ delta: {}, finish_reason: 'stop' }] } })
  expect(ended.item(counts)).toMatchObject([{ choices: [], usage }])
})

const text = (content: string): string =>
  JSON.stringify({ choices: [{ index: 0, delta: { content } }] })
const play = (...events: readonly string[]) => {
  const maker = new FrameMaker({ model: 'pipe', tell: ignore })
  const frames = [...events.flatMap((raw) => maker.item({ raw })), ...maker.end({ form: 'none' })]
  const said = frames.map(
    (frame) =>
      ('choices' in frame ? (frame as ChatCompletionChunk).choices[0]?.delta.content : null) ?? '',
  )
  return {
    said: said.join(''),
    errors: frames.flatMap((frame) => ('error' in frame ? [frame.error] : [])),
  }
}

test.each([
  ['two objects in one event', `data: ${text('a')}${text('b')}\n\n`],
  ['a list of objects', `data: [${text('a')},${text('b')}]\n\n`],
  ['a comma behind the last field', `data: ${text('ab').replace(/}$/, ',}')}\n\n`],
  [
    'something behind the end mark',
    `data: ${text('ab')}\n\ndata: [DONE]\n\ndata: ${text('lost')}\n\n`,
  ],
])('%s that a pipe hands on is read as of a provider', (_, events) => {
  expect(play(events, 'data: [DONE]\n\n')).toEqual({ said: 'ab', errors: [] })
})

test.each([
  ['an event that cannot be read', `data: ${text('a').slice(0, -2)}\n\n`, 'before it was complete'],
  ['an error by its name', 'event: error\ndata: {"message":"overloaded"}\n\n', 'overloaded'],
  ['an error by its name, in plain words', 'event: error\ndata: overloaded\n\n', 'overloaded'],
])('%s that a pipe hands on is told, although an end mark follows', (_, event, message) => {
  const { errors } = play(`data: ${text('a')}\n\n`, event, 'data: [DONE]\n\n')
  expect(errors).toMatchObject([
    { message: expect.stringContaining(message) as string, status: 502 },
  ])
})

/** Returns the text and the result of the frames for items as the host sends them. */
function playItems(
  items: readonly unknown[],
  returned: unknown = { form: 'stream', items: items.length },
) {
  const maker = new FrameMaker({ model: 'pipe', tell: ignore })
  const frames = [...items.flatMap((each) => maker.item(each)), ...maker.end(returned)]
  const said = frames.map(
    (frame) =>
      ('choices' in frame ? (frame as ChatCompletionChunk).choices[0]?.delta.content : null) ?? '',
  )
  return {
    said: said.join(''),
    errors: frames.flatMap((frame) => ('error' in frame ? [(frame.error as Error).message] : [])),
  }
}
const data = (value: string) => ({ raw: `data: ${value}\n\n` })

test.each([
  ['by line', [{ text: 'event: error' }, data('{"message":"overloaded"}')]],
  ['by line with its end', [{ text: 'event: error\r\n' }, data('{"message":"overloaded"}')]],
  ['by event', [{ text: 'event: error\ndata: {"message":"overloaded"}\n\n' }]],
  ['by event without its end', [{ text: 'event: error\nid: 7\ndata: overloaded' }]],
])('an error of a provider by its name that a pipe gives on %s is told', (_, items) => {
  expect(playItems([data(text('a')), ...items])).toEqual({ said: 'a', errors: ['overloaded'] })
})

test('other names are no part of the answer, and a text that looks like one is', () => {
  const named = [
    { text: 'event: message' },
    data(text('a')),
    { text: '' },
    { text: 'event: message' },
    data(text('b')),
  ]
  expect(playItems(named)).toEqual({ said: 'ab', errors: [] })
  expect(playItems([{ text: 'event: a party' }, { text: ' at noon' }])).toEqual({
    said: 'event: a party at noon',
    errors: [],
  })
  expect(playItems([{ text: 'event: a party' }])).toEqual({ said: 'event: a party', errors: [] })
})

test.each([[[null]], [[]], [[7]], [[{}]], [[{ index: 0, finish_reason: 'stop' }]]])(
  'a whole answer with the choices %j is an error and not an empty answer',
  (choices) => {
    for (const returned of [
      { form: 'json', value: { choices } },
      { form: 'response', body: JSON.stringify({ choices }) },
    ])
      expect(playItems([], returned)).toEqual({
        said: '',
        errors: ['The pipe returned a completion without a message.'],
      })
  },
)

test('choices of a piece that cannot be read are told', () => {
  const sentence = 'The pipe sent a part of an answer whose choices cannot be read.'
  expect(playItems([data(text('a')), { json: { choices: [null] } }])).toEqual({
    said: 'a',
    errors: [sentence],
  })
  expect(playItems([data(text('a')), data('{"choices":[7]}')])).toEqual({
    said: 'a',
    errors: [sentence],
  })
  expect(
    playItems([{ json: { choices: [], usage: { total_tokens: 1 } } }, data(text('a'))]),
  ).toEqual({ said: 'a', errors: [] })
  expect(playItems([], { form: 'json', value: { choices: [{ text: 'plain' }] } })).toEqual({
    said: 'plain',
    errors: [],
  })
})
