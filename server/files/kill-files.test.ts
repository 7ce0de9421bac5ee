import Sqlite from 'better-sqlite3'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { filesBelow } from '../testing/serve-files.ts'
import { folderOnDisk } from '../testing/create-temporary-folder.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

const CYCLES = Number(process.env['KILL_CYCLES'] ?? 8)
const UPLOADERS = 3
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

interface Journal {
  /** Hashes, by id, of the files that the gateway acknowledged and was not asked to delete. */
  readonly files: Map<string, string>
  acknowledged: number
}

async function signUp({ url }: GatewayProcess): Promise<string> {
  const reply = await fetch(`${url}/api/v1/auths/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  return ((await reply.json()) as { token: string }).token
}

/** Returns a unique text of one or of many passages. */
const makeText = (): string =>
  `# ${randomUUID()}\n\n${`Words of ${randomUUID()}. `.repeat(randomInt(1, 900))}`

/** Uploads, and now and then deletes, until the gateway is gone. */
async function work({ url }: GatewayProcess, token: string, journal: Journal): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  try {
    for (;;) {
      const text = makeText()
      const body = new FormData()
      body.set('file', new Blob([text]), `${randomUUID()}.md`)
      const reply = await fetch(`${url}/api/v1/files/`, { method: 'POST', headers, body })
      const { id } = (await reply.json()) as { id: string }
      expect(reply.status).toBe(200)
      journal.acknowledged += 1
      journal.files.set(id, createHash('sha256').update(text).digest('hex'))
      if (randomInt(4) > 0) continue
      // If the reply never came, a file whose deletion was requested may be there or not.
      journal.files.delete(id)
      await fetch(`${url}/api/v1/files/${id}`, { method: 'DELETE', headers })
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** Counts rows without bytes, files without their acknowledged content, and bytes without rows. */
function compare(
  dataDir: string,
  journal: Journal,
): { lost: number; withoutBytes: number; broken: number } {
  const database = new Sqlite(path.join(dataDir, 'chat-gateway.db'), { readonly: true })
  try {
    expect(database.pragma('foreign_key_check')).toEqual([])
    const rows = database
      .prepare(
        'select file.id, blob.id as blob, hash, size from file join blob on blob.id = file.blob_id',
      )
      .all() as {
      id: string
      blob: string
      hash: string
      size: number
    }[]
    const pathOf = (blob: string) => path.join(dataDir, 'uploads', blob.slice(0, 2), blob)
    const known = new Map(rows.map((row) => [row.id, row]))
    return {
      lost: [...journal.files].filter(([id, hash]) => known.get(id)?.hash !== hash).length,
      withoutBytes: rows.filter(({ blob }) => !existsSync(pathOf(blob))).length,
      broken: rows.filter(
        ({ blob, size }) => existsSync(pathOf(blob)) && statSync(pathOf(blob)).size !== size,
      ).length,
    }
  } finally {
    database.close()
  }
}

async function waitUntilIdle({ url }: GatewayProcess, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  await expect
    .poll(
      async () =>
        (
          (await (
            await fetch(`${url}/api/v1/files/?status=pending&content=false`, { headers })
          ).json()) as { total: number }
        ).total,
      {
        timeout: 60_000,
      },
    )
    .toBe(0)
}

function leftOnDisk(dataDir: string): { temporary: number; orphans: number } {
  const database = new Sqlite(path.join(dataDir, 'chat-gateway.db'), { readonly: true })
  const known = new Set(database.prepare('select id from blob').pluck().all() as string[])
  database.close()
  const found = filesBelow(path.join(dataDir, 'uploads'))
  const isTemporary = (file: string): boolean => file.startsWith('temporary')
  return {
    temporary: found.filter(isTemporary).length,
    orphans: found.filter((file) => !isTemporary(file) && !known.has(path.basename(file))).length,
  }
}

test(
  `killed ${CYCLES} times while files are uploaded, read and deleted, the gateway loses none it acknowledged and leaves nothing behind`,
  async () => {
    const dataDir = mkdtempSync(path.join(folderOnDisk(), 'chat-gateway-kill-files-'))
    const environment = { DATA_DIR: dataDir }
    try {
      const journal: Journal = { files: new Map(), acknowledged: 0 }
      let gateway = await startGatewayProcess(environment)
      const token = await signUp(gateway)
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        const uploads = Array.from({ length: UPLOADERS }, () => work(gateway, token, journal))
        // Some kills happen before the first upload, which takes longest, others during or after
        // one.
        const enough = journal.acknowledged + randomInt(12)
        await expect
          .poll(() => journal.acknowledged, { interval: 5, timeout: 20_000 })
          .toBeGreaterThanOrEqual(enough)
        await sleep(randomInt(60))
        await gateway.kill()
        await Promise.all(uploads)
        // Bytes whose row was written at the last moment are moved to their final place before the
        // next start completes.
        gateway = await startGatewayProcess(environment)
        expect(compare(dataDir, journal)).toEqual({ lost: 0, withoutBytes: 0, broken: 0 })
      }
      await waitUntilIdle(gateway, token)
      await expect
        .poll(() => leftOnDisk(dataDir), { timeout: 10_000 })
        .toEqual({ temporary: 0, orphans: 0 })
      expect(journal.acknowledged).toBeGreaterThan(CYCLES)
      expect(await gateway.terminate()).toBe(0)
      process.stdout.write(
        `kill files: ${CYCLES} kills, ${journal.acknowledged} acknowledged uploads, 0 lost\n`,
      )
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
  CYCLES * 20_000 + 60_000,
)
