import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder, folderOnDisk } from '../testing/create-temporary-folder.ts'
import { databaseInsteadOf } from '../testing/create-postgres-test-storage.ts'
import { createTestRetrieval } from '../testing/create-test-retrieval.ts'

const PROGRAM = path.join(import.meta.dirname, '../testing/index-forever.ts')
const KILLS = 6

describe('a process killed while it indexes', () => {
  it(
    'leaves every finished document whole, and nothing that stays behind',
    { timeout: 120_000 },
    async () => {
      const folder = createTemporaryFolder(folderOnDisk())
      const { DATABASE_URL: address } = await databaseInsteadOf(path.join(folder, 'index.db'))
      const newest = new Map<string, number>()
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = spawn(process.execPath, [PROGRAM, address ?? folder], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const lines = createInterface({ input: child.stdout })
        lines.on('line', (line) => {
          const [id, round] = line.split(' ')
          newest.set(id!, Number(round))
        })
        await once(lines, 'line')
        await sleep(15 + kill * 31)
        child.kill('SIGKILL')
        await once(lines, 'close')

        const opened = await createTestRetrieval({ folder })
        const { retrieval, storage } = opened
        const count = async (sql: string) => Number(await storage.prepare(sql).pluck().get())
        const health = await retrieval.checkHealth()
        expect(new Set(Object.values(health)).size).toBe(1)
        const wrong =
          "select count(*) from retrieval_document d where d.state = 'ready' and d.chunks <> " +
          '(select count(*) from retrieval_chunk c where c.document_seq = d.seq)'
        expect(await count(wrong)).toBe(0)
        const found = await retrieval.search(
          { texts: ['rivers'], collections: ['all'], mode: 'words', limit: 50 },
          new AbortController().signal,
        )
        expect(found.length).toBeGreaterThan(0)
        // The last version may have been put in place without having been reported.
        for (const { document_id, text } of found) {
          const version = Number(/Version (\d+)/.exec(text)?.[1] ?? newest.get(document_id))
          expect(version).toBeGreaterThanOrEqual(newest.get(document_id) ?? 0)
        }
        await retrieval.resume()
        // The documents were indexed by another engine, so they are indexed again.
        await expect
          .poll(async () => (await retrieval.engineState()).reindex, { timeout: 20_000 })
          .toBeNull()
        await expect
          .poll(() => count("select count(*) from retrieval_document where state <> 'ready'"), {
            timeout: 20_000,
          })
          .toBe(0)
        const rest = await retrieval.checkHealth()
        expect(rest.passages).toBe(await count('select sum(chunks) from retrieval_document'))
        expect(rest.words).toBe(rest.passages)
        await opened.close()
        newest.clear()
      }
    },
  )
})
