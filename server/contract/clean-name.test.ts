import { describe, expect, it } from 'vitest'
import { cleanName } from './clean-name.ts'

describe('a name that others are shown', () => {
  it.each([
    ['a mark that reverses what follows', 'Ada\u202egpj', 'Adagpj'],
    ['an isolate that is never closed', '\u2067Ada', 'Ada'],
    ['a space without width', 'A\u200bda\ufeff', 'Ada'],
    ['line breaks', 'Ada\r\nBen\u2028Cid', 'Ada Ben Cid'],
    ['control characters', 'Ada\u0000\u001b[31m', 'Ada [31m'],
    ['spaces around it', '  Ada ', 'Ada'],
  ])('has not %s', (_, given, shown) => {
    expect(cleanName(given)).toBe(shown)
  })

  it.each(['', ' ', '\u200b', '\u3164', '\u2800 \u115f', '\u200d', '\n'])(
    'is empty where nothing of it can be seen: %j',
    (given) => {
      expect(cleanName(given)).toBe('')
    },
  )

  it.each([
    'Ada',
    'Zoë',
    'نور',
    'علی\u200cرضا',
    '👩\u200d💻',
    'שרה\u200f',
    '<b>Ada</b>',
    '李 雷',
    '-',
  ])('is otherwise as it was given: %s', (given) => {
    expect(cleanName(given)).toBe(given)
  })
})
