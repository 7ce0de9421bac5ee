import { expect, test } from 'vitest'
import { KeyedLines } from './keyed-lines.ts'

test('work of one key runs in order, and that of another key does not wait for it', async () => {
  const lines = new KeyedLines()
  const events: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const step = (name: string, wait?: Promise<void>) => async (): Promise<string> => {
    events.push(`${name} begins`)
    await wait
    events.push(`${name} ends`)
    return name
  }
  const first = lines.run('a', step('first', gate))
  const second = lines.run('a', step('second'))
  await lines.run('b', step('other'))
  expect(events).toEqual(['first begins', 'other begins', 'other ends'])
  open()
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  expect(events.slice(3)).toEqual(['first ends', 'second begins', 'second ends'])
})

test('an error reaches its own caller, and the next work runs', async () => {
  const lines = new KeyedLines()
  const broken = lines.run('a', async () => {
    throw new Error('broken')
  })
  const next = lines.run('a', async () => 'done')
  await expect(broken).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
