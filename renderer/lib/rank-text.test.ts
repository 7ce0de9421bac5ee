import { expect, test } from 'vitest'
import { rankText } from './rank-text.ts'

test('a beginning outranks a word, a word an inner part, and a missing word means no', () => {
  const ranks = [
    rankText('New chat', 'new'),
    rankText('Begin a new chat', 'new'),
    rankText('Renewal', 'new'),
    rankText('chat, a new one', 'new chat'),
    rankText('Old chat', 'new'),
  ]
  expect(ranks).toEqual([...ranks].sort((a, b) => b - a))
  expect(new Set(ranks).size).toBe(ranks.length)
  expect(ranks.at(-1)).toBe(0)
})
