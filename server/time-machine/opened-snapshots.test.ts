import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import type { Snapshots } from '../storage/snapshots/index.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { OpenedSnapshots } from './opened-snapshots.ts'

type People = ConstructorParameters<typeof OpenedSnapshots>[1]

function setUp() {
  const folder = createTemporaryFolder()
  const open = vi.fn(async (id: string) => path.join(folder, id))
  const opened = new OpenedSnapshots(
    { get: () => undefined, open } as unknown as Snapshots,
    { access: {}, users: {}, log: createLogger('silent') } as unknown as People,
  )
  onTestFinished(() => opened.close())
  return { opened, open }
}

/** A response whose reader takes nothing of it. */
class StalledResponse extends EventEmitter {
  closed = false
  destroy(): void {
    this.closed = true
    this.emit('close')
  }
}

it('is not kept from others for long by readers that take nothing', async () => {
  const { opened } = setUp()
  const stalled = [new StalledResponse(), new StalledResponse()]
  for (const [index, response] of stalled.entries())
    await opened.lend(
      'ada',
      `${index}.db`,
      response as unknown as ServerResponse,
      async () => undefined,
    )
  await expect(opened.use('bob', 'third.db', async () => true)).rejects.toThrow(
    'Try again in a minute',
  )
  expect(stalled.map(({ closed }) => closed)).toEqual([false, false])
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 120_000)
  onTestFinished(() => void vi.restoreAllMocks())
  await vi.waitFor(async () =>
    expect(await opened.use('bob', 'third.db', async () => true)).toBe(true),
  )
  expect(stalled.map(({ closed }) => closed)).toEqual([true, false])
})

it('is not assembled without end for a user who changes between more than are kept open', async () => {
  const { opened, open } = setUp()
  const names = ['first.db', 'second.db', 'third.db']
  const tries = Array.from({ length: 30 }, (_, round) => names[round % names.length]!)
  const failures = new Set<string>()
  for (const name of tries)
    await opened
      .use('ada', name, async () => true)
      .catch((error: Error) => void failures.add(error.message))
  expect(open).toHaveBeenCalledTimes(8)
  expect([...failures]).toEqual([
    'You have opened many snapshots in a short time. Try again in a minute.',
  ])
  expect(await opened.use('bob', 'fourth.db', async () => true)).toBe(true)
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 61_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(await opened.use('ada', 'fifth.db', async () => true)).toBe(true)
})
