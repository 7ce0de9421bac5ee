import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import type { Snapshots } from '../storage/snapshots/index.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { OpenedSnapshots } from './opened-snapshots.ts'

type People = ConstructorParameters<typeof OpenedSnapshots>[1]

/** A response whose reader takes nothing of it. */
class StalledResponse extends EventEmitter {
  closed = false
  destroy(): void {
    this.closed = true
    this.emit('close')
  }
}

it('is not kept from others for long by readers that take nothing', async () => {
  const folder = createTemporaryFolder()
  const snapshots = { get: () => undefined, open: async (id: string) => path.join(folder, id) }
  const opened = new OpenedSnapshots(
    snapshots as unknown as Snapshots,
    { access: {}, users: {}, log: createLogger('silent') } as unknown as People,
  )
  onTestFinished(() => opened.close())
  const stalled = [new StalledResponse(), new StalledResponse()]
  for (const [index, response] of stalled.entries())
    await opened.lend(`${index}.db`, response as unknown as ServerResponse, async () => undefined)
  await expect(opened.use('third.db', async () => true)).rejects.toThrow('Try again in a minute')
  expect(stalled.map(({ closed }) => closed)).toEqual([false, false])
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 120_000)
  onTestFinished(() => void vi.restoreAllMocks())
  await vi.waitFor(async () => expect(await opened.use('third.db', async () => true)).toBe(true))
  expect(stalled.map(({ closed }) => closed)).toEqual([true, false])
})
