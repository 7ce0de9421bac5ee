import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReasoningSplitter } from './split-reasoning.ts'

function split(pieces: readonly string[]) {
  const splitter = createReasoningSplitter()
  const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.flush()]
  return {
    content: parts.map((part) => part.content).join(''),
    reasoning: parts.map((part) => part.reasoning).join(''),
  }
}

test.each([
  ['<think>Let me see.</think>\n\nIt is four.', 'Let me see.', 'It is four.'],
  ['\n <thinking>\nHm.</thinking>Yes', 'Hm.', 'Yes'],
  ['<think></think>Yes', '', 'Yes'],
  ['<think>never closed </thin', 'never closed </thin', ''],
  ['No tag at all', '', 'No tag at all'],
  ['Later <think>is text</think>.', '', 'Later <think>is text</think>.'],
  ['<thin line', '', '<thin line'],
  ['<b>bold</b>', '', '<b>bold</b>'],
  ['', '', ''],
  ['   ', '', '   '],
])('%j holds the reasoning %j and the answer %j', (text, reasoning, content) => {
  expect(split([text])).toEqual({ reasoning, content })
})

test('The same text is told apart the same way however it is cut into pieces', () => {
  const fragment = fc.constantFrom(
    '<',
    'think',
    '>',
    '</',
    'thinking',
    ' ',
    '\n',
    'word',
    '<think>',
    '</think>',
    '🦊',
  )
  const cuts = fc.array(fc.nat({ max: 12 }), { maxLength: 30 })
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 30 }), cuts, (fragments, lengths) => {
      const text = fragments.join('')
      const pieces: string[] = []
      let start = 0
      for (const length of lengths) {
        pieces.push(text.slice(start, start + length))
        start += length
      }
      pieces.push(text.slice(start))
      const whole = split([text])
      const cut = split(pieces)
      expect(cut.content).toBe(whole.content)
      expect(cut.reasoning.trimStart()).toBe(whole.reasoning.trimStart())
    }),
    { numRuns: 2000 },
  )
})
