import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSaver, type SaveState } from './save-as-typed.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp(save: (value: string) => Promise<unknown>) {
  const states: SaveState[] = []
  return { states, saver: createSaver<string>({ save, onState: (state) => states.push(state) }) }
}

test('typing is saved once, a moment after the last letter', async () => {
  const save = vi.fn(async () => undefined)
  const { saver, states } = setUp(save)
  saver.keep('a')
  saver.keep('ab')
  await vi.advanceTimersByTimeAsync(1000)
  expect(save.mock.calls).toEqual([['ab']])
  expect(states.at(-1)).toBe('saved')
})

test('what was typed while saving is saved afterwards, never at the same time', async () => {
  const finish: (() => void)[] = []
  const save = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)))
  const { saver, states } = setUp(save)
  saver.keep('a')
  saver.flush()
  saver.keep('b')
  saver.flush()
  expect(save).toHaveBeenCalledTimes(1)
  finish[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(save).toHaveBeenLastCalledWith('b')
  finish[1]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(states.at(-1)).toBe('saved')
})

test('a failed save keeps the text for the next try', async () => {
  const save = vi.fn(async () => undefined)
  save.mockRejectedValueOnce(new Error('offline'))
  const { saver, states } = setUp(save)
  saver.keep('a')
  saver.flush()
  await vi.advanceTimersByTimeAsync(0)
  expect(states.at(-1)).toBe('failed')
  saver.flush()
  await vi.advanceTimersByTimeAsync(0)
  expect(save).toHaveBeenLastCalledWith('a')
  expect(states.at(-1)).toBe('saved')
})
