import { expect, test } from 'vitest'
import { toFileName } from './download.ts'

test('a title becomes a name every file system takes', () => {
  expect(toFileName('Why: is/it "slow"?', 'md')).toBe('Why is it slow.md')
  expect(toFileName('  ... ', 'json')).toBe('chat.json')
  expect(toFileName('2026/04\n', 'html')).toBe('2026 04.html')
  expect(toFileName('x'.repeat(300), 'md')).toHaveLength(83)
})
