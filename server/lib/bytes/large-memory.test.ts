import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { giveLargeMemoryBack, takeLargeMemory } from './large-memory.ts'

const MEGABYTE = 1024 * 1024

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

it('memory that came back is used again, once', () => {
  const first = takeLargeMemory(4 * MEGABYTE)
  giveLargeMemoryBack(first.subarray(10, 20))
  const second = takeLargeMemory(3 * MEGABYTE)
  expect(second.buffer).toBe(first.buffer)
  expect(takeLargeMemory(3 * MEGABYTE).buffer).not.toBe(first.buffer)
})

it('memory that comes back twice is still handed out once', () => {
  const bytes = takeLargeMemory(MEGABYTE)
  giveLargeMemoryBack(bytes)
  giveLargeMemoryBack(bytes)
  const one = takeLargeMemory(MEGABYTE)
  expect(takeLargeMemory(MEGABYTE).buffer).not.toBe(one.buffer)
})

it('memory of others, too large memory, and memory nobody asked for in time are let go', () => {
  const foreign = Buffer.allocUnsafeSlow(MEGABYTE)
  giveLargeMemoryBack(foreign)
  expect(takeLargeMemory(MEGABYTE).buffer).not.toBe(foreign.buffer)
  const huge = takeLargeMemory(17 * MEGABYTE)
  giveLargeMemoryBack(huge)
  expect(takeLargeMemory(16 * MEGABYTE).buffer).not.toBe(huge.buffer)
  const idle = takeLargeMemory(2 * MEGABYTE)
  giveLargeMemoryBack(idle)
  vi.runAllTimers()
  expect(takeLargeMemory(2 * MEGABYTE).buffer).not.toBe(idle.buffer)
})

it('little that may be kept for long does not hold much', () => {
  const large = takeLargeMemory(12 * MEGABYTE)
  giveLargeMemoryBack(large)
  expect(takeLargeMemory(MEGABYTE).buffer).not.toBe(large.buffer)
  expect(takeLargeMemory(4 * MEGABYTE).buffer).toBe(large.buffer)
})
