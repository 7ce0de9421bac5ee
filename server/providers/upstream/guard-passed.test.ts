import { expect, test } from 'vitest'
import { LINE_LIMIT, LineTooLongError } from '../../lib/bytes/lines.ts'
import { cutBytes } from '../../testing/play-bytes.ts'
import { createPassedGuard } from './guard-passed.ts'
import { parseAnswer } from './upstream.ts'

const PIECE = 64 * 1024

/** Returns the output for a text that arrives in pieces as a socket delivers them. */
function play(text: string) {
  const guard = createPassedGuard('application/x-ndjson', { isAnswer: true })!
  const bytes = Buffer.from(text)
  const cuts = Array.from(
    { length: Math.floor(bytes.length / PIECE) },
    (_, place) => (place + 1) * PIECE,
  )
  const passed = cutBytes(bytes, cuts).map((piece) => guard.push(piece))
  const early = passed.slice(0, -1).reduce((total, { length }) => total + length, 0)
  return {
    text: Buffer.concat([...passed, guard.end()]).toString(),
    early,
    isWhole: guard.isWhole(),
    isBroken: guard.isBroken(),
  }
}

const longText = (length: number): string => 'a "quoted", long\ttext '.repeat(length / 20)
const end = '{"done":true}\n'

test('a long line passes when it is whole and can be read, and not before', () => {
  const line = `${JSON.stringify({ response: longText(2_000_000), context: Array.from({ length: 130_000 }, (_, place) => place) })}\n`
  expect(play(line + end)).toEqual({ text: line + end, early: 0, isWhole: true, isBroken: false })
  expect(play(line.slice(0, -1)).text).toBe(line)
})

test.each([
  ['cut off', (line: string) => line.slice(0, -3)],
  ['broken in the middle', (line: string) => line.replace('":"', '""')],
  ['nested very deeply', () => `{"a":${'['.repeat(600_000)}${']'.repeat(600_000)}}`],
  ['with very many values', () => `{"a":[${'{},'.repeat(200_000)}{}]}`],
])('a long line that is %s passes in no part, and nothing behind it', (_, toLine) => {
  const line = toLine(JSON.stringify({ response: longText(1_000_000) }))
  expect(play(`{"response":"a"}\n${line}\n${end}`)).toMatchObject({
    text: '{"response":"a"}\n',
    isBroken: true,
    isWhole: false,
  })
})

test('a line that does not end fails before it fills the memory', () => {
  expect(() => play('x'.repeat(LINE_LIMIT + PIECE))).toThrow(LineTooLongError)
})

test('a whole answer may hold as many numbers as embeddings have', () => {
  const embedding = `{"data":[{"embedding":[${'0.25,'.repeat(300_000)}1]}]}`
  expect(parseAnswer(Buffer.from(embedding), { name: 'Test', secrets: [] })).toHaveProperty('data')
})
