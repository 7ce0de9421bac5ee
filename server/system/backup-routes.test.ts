import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { findCopyFault, pruneBackups } from '../storage/backups/backups.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

interface Backup {
  readonly path: string
  readonly label: string
  readonly bytes: number
}

let server: TestServer
let token: string
beforeEach(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
})
afterEach(() => {
  vi.useRealTimers()
  return server.close()
})

const create = async () =>
  (await (await server.call('POST', '/api/v1/backups', { token })).json()) as Backup
const list = async () =>
  (await (await server.call('GET', '/api/v1/backups', { token })).json()) as Backup[]

it('A gateway that runs for some minutes at a time only has its daily backup too', async () => {
  await server.close({ keep: true })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  server = await startTestServer({ dataDir: server.dataDir })
  vi.advanceTimersByTime(600_000)
  vi.useRealTimers()
  await vi.waitFor(
    async () => expect((await list()).map(({ label }) => label)).toEqual(['daily']),
    { timeout: 15_000 },
  )
})

describe('backups on demand', () => {
  it('are sound copies beside the database, listed newest first', async () => {
    const first = await create()
    const second = await create()
    expect(first).toMatchObject({ label: 'manual', bytes: expect.any(Number) })
    expect(findCopyFault(second.path)).toBeNull()
    expect((await list()).map((backup) => backup.path)).toEqual([second.path, first.path])
  })

  it('can be downloaded, leave nothing behind then, and not while exports are off', async () => {
    const download = () => server.call('GET', '/api/v1/utils/db/download', { token })
    const reply = await download()
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="chat-gateway.db"')
    const file = path.join(createTemporaryFolder(), 'copy.db')
    writeFileSync(file, Buffer.from(await reply.arrayBuffer()))
    expect(findCopyFault(file)).toBeNull()
    await vi.waitFor(async () => expect(await list()).toEqual([]))
    await server.context.settings.update({ ENABLE_ADMIN_EXPORT: false })
    expect((await download()).status).toBe(403)
  })

  it('are made and downloaded by several people in the same moment', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const calls = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? server.call('POST', '/api/v1/backups', { token })
        : server.call('GET', '/api/v1/utils/db/download', { token }),
    )
    const replies = await Promise.all(calls)
    expect(replies.map(({ status }) => status)).toEqual(calls.map(() => 200))
    await Promise.all(replies.map((reply) => reply.arrayBuffer()))
    await vi.waitFor(async () =>
      expect((await list()).map(({ label }) => label)).toEqual(['manual', 'manual', 'manual']),
    )
  })

  it('that were half-made or half handed over when the gateway was killed are gone after the next start', async () => {
    const { path: kept } = await create()
    const folder = path.dirname(kept)
    await server.close({ keep: true })
    for (const name of ['daily.db.new', 'manual.db.new-journal', 'download.db'])
      writeFileSync(path.join(folder, `2026-01-01T00-00-00-000Z-${name}`), 'part')
    server = await startTestServer({ dataDir: server.dataDir })
    expect(readdirSync(folder)).toEqual([path.basename(kept)])
  })

  it('stay until a person removes them, whatever else is cleaned up', async () => {
    const kept: string[] = []
    for (let count = 0; count < 5; count += 1) kept.unshift((await create()).path)
    writeFileSync(path.join(path.dirname(kept[0]!), '2020-01-01T00-00-00-000Z-daily.db'), '')
    const database = path.join(server.dataDir, 'chat-gateway.db')
    pruneBackups(database, 'other')
    pruneBackups(database, 'daily')
    expect(
      (await list()).filter(({ label }) => label === 'manual').map((backup) => backup.path),
    ).toEqual(kept)
  })
})
