import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { parseInput, parseInputInSteps } from './parse-input.ts'
import { parseJsonInSteps } from '../json/parse-json.ts'
import { runAtOnce } from '../turns.ts'

const TINY = { structure: 24, text: 16 }
const withBody = allEndpoints.filter(({ body }) => body !== undefined)

const NAMES = [
  'model',
  'messages',
  'role',
  'content',
  'chat',
  'chats',
  'history',
  'title',
  'input',
  'tools',
  'meta',
  'type',
  'id',
  'other',
  '__proto__',
]
const leaf = fc.oneof(
  fc.constantFrom('user', 'text', '', null, true),
  fc.integer(),
  fc.string({ maxLength: 60 }),
)
const { anyInput } = fc.letrec<{ anyInput: unknown }>((tie) => ({
  anyInput: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('anyInput'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('anyInput'), { maxKeys: 6 }),
  ),
}))

it('checking in steps gives what checking at once gives, for every endpoint', () => {
  fc.assert(
    fc.property(fc.constantFrom(...withBody), anyInput, ({ body }, sent) => {
      const { value, large } = runAtOnce(parseJsonInSteps(Buffer.from(JSON.stringify(sent)), TINY))
      const attempt = (parse: () => unknown) => {
        try {
          return { parsed: parse() }
        } catch (error) {
          return { status: (error as { status: number }).status }
        }
      }
      expect(attempt(() => runAtOnce(parseInputInSteps(body, value, large)))).toEqual(
        attempt(() => parseInput(body, value, 'body')),
      )
    }),
    { numRuns: 1000 },
  )
})

it('long lists that fit their schema come out of the steps as they went in', () => {
  const completions = allEndpoints.find(({ id }) => id === 'completions.chatCompletions')!
  const sent = {
    model: 'm',
    temperature: 1,
    messages: Array.from({ length: 50 }, (_, index) => ({
      role: 'user',
      content: `message ${index}`,
    })),
  }
  const { value, large } = runAtOnce(parseJsonInSteps(Buffer.from(JSON.stringify(sent)), TINY))
  expect(runAtOnce(parseInputInSteps(completions.body, value, large))).toEqual(sent)
})

it('a fault deep in a large body is named with its place, and a body of nothing but faults with its first hundred', () => {
  const completions = allEndpoints.find(({ id }) => id === 'completions.chatCompletions')!
  const messages: unknown[] = Array.from({ length: 20 }, () => ({ role: 'user', content: 'x' }))
  messages[17] = { role: 5 }
  const { value, large } = runAtOnce(
    parseJsonInSteps(Buffer.from(JSON.stringify({ model: 'm', messages })), TINY),
  )
  expect(() => runAtOnce(parseInputInSteps(completions.body, value, large))).toThrow(
    expect.objectContaining({
      issues: [expect.objectContaining({ loc: ['body', 'messages', 17, 'role'] })],
    }) as Error,
  )
  const wrong = { model: 'm', messages: Array.from({ length: 500 }, () => 1) }
  expect(() => parseInput(completions.body, wrong, 'body')).toThrow(
    expect.objectContaining({
      issues: expect.objectContaining({ length: 100 }) as unknown,
    }) as Error,
  )
})

const chatImport = allEndpoints.find(({ id }) => id === 'imports.records')!
const chat = { title: 'x' }
it.each([
  // Of several forms the one that was meant is named with its place.
  [{ chats: [{}] }, ['body', 'chats', 0, 'chat']],
  [{ chats: [{ chat }, { chat, created_at: 'x' }] }, ['body', 'chats', 1, 'created_at']],
  // Where that is not clear, both are named.
  [{}, ['body']],
])('the fault of an import of %j is at %j', (sent, loc) => {
  const large = new WeakSet<object>([
    sent,
    ...Object.values(sent).filter((value) => typeof value === 'object'),
  ])
  const fault = expect.objectContaining({ loc }) as unknown
  const refusal = expect.objectContaining({ status: 422, issues: [fault] }) as Error
  expect(() => parseInput(chatImport.body, sent, 'body')).toThrow(refusal)
  expect(() => runAtOnce(parseInputInSteps(chatImport.body, sent, large))).toThrow(refusal)
})

it('a value that has none of its forms is told what each of them is', () => {
  const issues = (sent: unknown) => {
    try {
      return parseInput(chatImport.body, sent, 'body')
    } catch (error) {
      return (error as { issues: unknown }).issues
    }
  }
  expect(issues({})).toEqual([
    {
      loc: ['body'],
      msg: 'chats: Invalid input: expected array, received undefined; or chat: Invalid input: expected record, received undefined',
      type: 'invalid_union',
    },
  ])
})

const pinMessage = allEndpoints.find(({ id }) => id === 'channels.pin')!
it('a fault of the only form of its type is told alone', () => {
  expect(() => parseInput(pinMessage.body, { is_pinned: 'maybe' }, 'body')).toThrow(
    expect.objectContaining({
      issues: [
        {
          loc: ['body', 'is_pinned'],
          msg: expect.stringMatching(/^Invalid option: expected one of "true"/) as string,
          type: 'invalid_value',
        },
      ],
    }) as Error,
  )
})
