import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { Records } from '../records.ts'
import type { Runner } from '../calls/runner.ts'
import { PipeModels } from './pipe-models.ts'

const pipe = (id: string) => ({
  store: 'function',
  id,
  name: id,
  kind: 'pipe',
  content: '',
  valves: null,
  isActive: true,
  fault: null,
  builtIn: null,
  createdAt: 1,
  description: { hooks: { pipes: {} }, user_valves_schema: null },
})

function start(...ids: readonly string[]) {
  const pipes = ids.map(pipe)
  const asked: string[] = []
  const answers = new Map<string, (names: string[]) => void>()
  const records = {
    all: () => pipes,
    find: () => null,
    onChange: () => undefined,
  } as unknown as Records
  const ask = (record: { id: string }) => {
    asked.push(record.id)
    return new Promise((resolve) =>
      answers.set(record.id, (names) =>
        resolve({ models: names.map((name) => ({ id: name, name })) }),
      ),
    )
  }
  const runner = { ask } as unknown as Runner
  const source = new PipeModels({
    records,
    runner,
    later: { openTools: async () => null },
    log: createLogger('silent'),
  })
  return {
    source,
    asked,
    answer: (id: string, ...names: string[]) => answers.get(id)!(names),
    ids: () => source.models().map(({ publicId }) => publicId),
  }
}

/** Reports whether a promise has settled without waiting for timers or I/O. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let is = false
  void promise.then(() => (is = true))
  await vi.advanceTimersByTimeAsync(0)
  return is
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a pipe that takes long to list its models is waited for once, and what it says later is taken', async () => {
  const { source, asked, answer, ids } = start('slow')
  const onChange = vi.fn<() => void>()
  source.onChange(onChange)
  const first = source.refresh(false)
  expect(await isOver(first)).toBe(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await isOver(first)).toBe(true)
  expect(await isOver(source.refresh(true))).toBe(true)
  expect([asked, ids(), onChange.mock.calls.length]).toEqual([['slow'], [], 0])
  answer('slow', 'one')
  await vi.advanceTimersByTimeAsync(0)
  expect([asked, ids(), onChange.mock.calls.length]).toEqual([['slow'], ['slow.one'], 1])
})

test('who wants a model no pipe can have waits for none, and asks none that is known', async () => {
  const { source, asked, answer, ids } = start('known', 'slow')
  const first = source.refresh(false)
  answer('known', 'one')
  await vi.advanceTimersByTimeAsync(10_000)
  await first
  await vi.advanceTimersByTimeAsync(2000)
  expect(await isOver(source.refresh(true, 'gpt-9'))).toBe(true)
  expect(asked).toEqual(['known', 'slow'])
  const wanting = source.refresh(true, 'known.two')
  expect([await isOver(wanting), asked]).toEqual([false, ['known', 'slow', 'known']])
  answer('known', 'one', 'two')
  await wanting
  expect(ids()).toEqual(['known.one', 'known.two'])
})

test('a list that is being made, or was just made, is not asked for again', async () => {
  const { source, asked, answer } = start('pipe')
  const both = Promise.all([source.refresh(true), source.refresh(true)])
  answer('pipe', 'one')
  await both
  await source.refresh(true)
  expect(asked).toEqual(['pipe'])
  await vi.advanceTimersByTimeAsync(1500)
  void source.refresh(true)
  expect(asked).toEqual(['pipe', 'pipe'])
})
