import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf, toShortTitle } from '../message-text.ts'
import { parseTitle } from './read-title.ts'

test.each([
  ['{"title": "Trains to Örebro"}', 'Trains to Örebro'],
  ['```json\n{"title": "Trains"}\n```', 'Trains'],
  ['<think>{"title":"wrong"} hm</think>\n{"title":"Right"}', 'Right'],
  ['Sure! {"title":"Trains"} — enjoy', 'Trains'],
  ['Title: "Trains"', 'Trains'],
  ['# **Trains**\n\nmore text', 'Trains'],
  ['', null],
  ['   \n ', null],
  ['{"title": 5}', null],
  ['{"title": "cut', null],
  ['```', null],
])('%j gives the title %j', (said, title) => {
  expect(parseTitle(said)).toBe(title)
})

test('A title is one line of at most 80 characters, whatever the model says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (said) => {
      const title = parseTitle(said)
      if (title === null) return
      expect(Array.from(title).length).toBeLessThanOrEqual(80)
      expect(title).not.toMatch(/[\n\r]/)
    }),
  )
})

test('row 94: a title is read out of any run of spaces at once', () => {
  expect(parseTitle(`Trains${' '.repeat(60_000)}x`)).toBe('Trains')
  expect(
    parseTitle(`{"title":"${'"*'.repeat(20_000).replaceAll('"', String.raw`\"`)}Trains"}`),
  ).toBeNull()
})

test('A long question is cut between words, or else at a character, with an ellipsis', () => {
  expect(toShortTitle('Plan it around a usual Saturday. '.repeat(3))).toBe(
    'Plan it around a usual Saturday. Plan it around a usual Saturday. Plan it…',
  )
  expect(toShortTitle('🦊'.repeat(100))).toBe(`${'🦊'.repeat(79)}…`)
  expect(toShortTitle('  two\n lines ')).toBe('two lines')
  expect(toShortTitle(' ')).toBe('New Chat')
})

test('The text of content in parts leaves images out', () => {
  expect(
    textOf([
      { type: 'image_url', image_url: {} },
      { type: 'text', text: 'What is this?' },
    ]),
  ).toBe('What is this?')
  expect(textOf(null)).toBe('')
})
