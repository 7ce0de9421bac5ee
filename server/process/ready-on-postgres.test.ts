import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, createEmptyDatabase } from '../testing/create-postgres-test-storage.ts'
import { findFreePort } from '../testing/find-free-port.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { startWire, type Wire } from '../testing/start-wire.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

const SLOW = 120_000
const WAITING = [503, { detail: 'Waiting for the database.' }]

describe.skipIf(!hasPostgres)('while PostgreSQL', { timeout: SLOW }, () => {
  let server: TestPostgres
  let wire: Wire
  let gateway: GatewayProcess
  let dataDir: string
  let metrics: string

  beforeAll(async () => {
    server = await startPostgres()
    dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-ready-'))
    metrics = `127.0.0.1:${await findFreePort()}`
    const database = new URL(addressOf(server.address, await createEmptyDatabase(server.address)))
    wire = await startWire({ host: database.hostname, port: Number(database.port) })
    database.port = String(wire.port)
    gateway = await startGatewayProcess({
      DATA_DIR: dataDir,
      DATABASE_URL: database.href,
      WEBUI_SECRET_KEY: 'a long random text',
      METRICS_ADDRESS: metrics,
    })
  }, SLOW)
  afterAll(async () => {
    await gateway.kill()
    await wire.close()
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const ask = async (target: string): Promise<unknown[]> => {
    const reply = await fetch(gateway.url + target)
    return [reply.status, await reply.json()]
  }
  const measured = async (): Promise<string> => (await fetch(`http://${metrics}/metrics`)).text()

  it('answers, the gateway is ready and its connections are counted', async () => {
    expect(await ask('/ready')).toEqual([200, { status: true }])
    const text = await measured()
    expect(text).toContain('chat_gateway_database_up 1\n')
    for (const state of ['used', 'idle'])
      expect(text).toMatch(new RegExp(`database_connections\\{state="${state}"\\} \\d+\\n`))
    // The query for the metrics is not counted as waiting.
    expect(text).toContain('database_connections{state="waiting"} 0\n')
  })

  it('lets nobody be answered, that is told within five seconds, and nobody restarts the gateway', async () => {
    wire.setSilent(true)
    const began = performance.now()
    expect(await ask('/ready')).toEqual(WAITING)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(await ask('/health')).toEqual([200, { status: true }])
    expect(await measured()).toContain('chat_gateway_database_up 0\n')
    wire.setSilent(false)
    await expect.poll(() => ask('/ready'), { timeout: 10_000 }).toEqual([200, { status: true }])
  })

  it('is gone, likewise, until it is there again', async () => {
    await server.end('SIGKILL')
    expect(await ask('/ready')).toEqual(WAITING)
    expect(await ask('/health')).toEqual([200, { status: true }])
    await server.start()
    await expect.poll(() => ask('/ready'), { timeout: 10_000 }).toEqual([200, { status: true }])
    expect(await measured()).toContain('chat_gateway_database_up 1\n')
  })
})
