import { expect, test } from 'vitest'
import { timeGroup, timeGroupKey } from './group-by-time.ts'

const at = (text: string): number => new Date(text).getTime()
const now = at('2026-11-20T00:10:00')
const keyOf = (text: string): string => timeGroupKey(timeGroup(at(text) / 1000, now))

test('chats are grouped by the calendar, not by hours passed', () => {
  expect(keyOf('2026-11-20T00:05:00')).toBe('today')
  expect(keyOf('2026-11-19T23:59:00')).toBe('yesterday')
  expect(keyOf('2026-11-13T12:00:00')).toBe('week')
  expect(keyOf('2026-11-12T12:00:00')).toBe('month')
  expect(keyOf('2026-10-01T12:00:00')).toBe('2026-10')
  expect(keyOf('2025-10-01T12:00:00')).toBe('2025-10')
})

test('a time ahead of this clock counts as today', () => {
  expect(keyOf('2026-11-21T09:00:00')).toBe('today')
})
