import Sqlite from 'better-sqlite3'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Automation, AutomationRun } from '#contract/automations.ts'
import { createTemporaryFolder, folderOnDisk } from '../testing/create-temporary-folder.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

const ROOT = '/api/v1/automations'
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const MINUTE = 60_000
const DAILY = 'DTSTART:20200101T090000\nRRULE:FREQ=DAILY'

let upstream: FakeUpstream
let dataDir: string
let token: string
let running: GatewayProcess | null

beforeEach(async () => {
  upstream = await startFakeCompatible()
  dataDir = createTemporaryFolder(folderOnDisk())
  running = null
})
afterEach(async () => {
  await running?.kill()
  await upstream.close()
})

async function start(): Promise<GatewayProcess> {
  running = await startGatewayProcess({
    DATA_DIR: dataDir,
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'sk-0000000000000000',
    WEBUI_SECRET_KEY: 'a root secret that only tests use, 32+ bytes',
  })
  return running
}

async function kill(): Promise<void> {
  await running!.kill()
  running = null
}

async function ask<Answer>(call: string, body?: unknown): Promise<Answer> {
  const [method, target] = call.split(' ')
  const reply = await fetch(`${running!.url}${target}`, {
    method: method!,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(reply.status, await reply.clone().text()).toBe(200)
  return (await reply.json()) as Answer
}

const create = (name: string, model_id: string): Promise<Automation> =>
  ask(`POST ${ROOT}/create`, {
    name,
    data: { prompt: 'Hello', model_id, rrule: DAILY, timezone: 'UTC' },
  })

const runsOf = ({ id }: Automation): Promise<AutomationRun[]> => ask(`GET ${ROOT}/${id}/runs`)

/** Starts for the first time, with a user and models. */
async function settleIn(): Promise<void> {
  const { url } = await start()
  const reply = await fetch(`${url}/api/v1/auths/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  token = ((await reply.json()) as { token: string }).token
  await ask('GET /api/models?refresh=true')
}

/**
 * Number of times the prompt was sent to the provider; requests for titles have a different prompt.
 */
const countAsked = (): number =>
  upstream.requests.filter(
    ({ path: target, json }) =>
      target.endsWith('/chat/completions') && JSON.stringify(json).includes('"content":"Hello"'),
  ).length

/** Makes times pass while the gateway is not running. */
function letPass(times: readonly (readonly [Automation, number])[]): void {
  const database = new Sqlite(path.join(dataDir, 'chat-gateway.db'))
  for (const [{ id }, ago] of times)
    database.prepare('update automation set next_run_at = ? where id = ?').run(Date.now() - ago, id)
  database.close()
}

it('a kill cuts off what ran; what was due meanwhile is told as missed or runs once, over further kills too', async () => {
  await settleIn()
  const slow = await create('Slow', 'stall')
  const missed = await create('Missed', 'text')
  const late = await create('A little late', 'text')
  await ask(`POST ${ROOT}/${slow.id}/run`)
  await vi.waitFor(async () => expect((await runsOf(slow))[0]!.chat_id).not.toBeNull(), 20_000)
  await expect.poll(countAsked).toBe(1)
  await kill()
  letPass([
    [missed, 3 * 24 * 60 * MINUTE],
    [late, MINUTE / 2],
  ])

  await start()
  const cut = await runsOf(slow)
  expect(cut).toHaveLength(1)
  expect(cut[0]).toMatchObject({ status: 'error', error: 'The gateway stopped while this ran.' })
  expect(cut[0]!.ended_at).not.toBeNull()
  const ended = await vi.waitFor(
    async () => {
      const runs = await runsOf(late)
      expect(runs[0]?.status).toBe('success')
      return runs
    },
    { timeout: 20_000, interval: 100 },
  )
  expect(ended).toHaveLength(1)
  const told = await runsOf(missed)
  expect(told).toMatchObject([{ status: 'missed', chat_id: null }])
  expect(told[0]!.error).toMatch(/^It was due [34] times while the gateway did not run\.$/)
  await kill()

  await start()
  // Every change triggers a check for what is due.
  await create('Another', 'text')
  expect(await runsOf(late)).toHaveLength(1)
  expect(await runsOf(missed)).toHaveLength(1)
  expect(await runsOf(slow)).toHaveLength(1)
  // The interrupted run and the late one.
  expect(countAsked()).toBe(2)
}, 120_000)

it('a kill right as a time comes lets it run once at most', async () => {
  await settleIn()
  const all = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => create(name, 'text')))
  await kill()
  letPass(all.map((each) => [each, 1000] as const))
  await start()
  await kill()
  await start()
  await vi.waitFor(
    async () => {
      for (const each of all) {
        const runs = await runsOf(each)
        expect(runs).toHaveLength(1)
        expect(['success', 'error']).toContain(runs[0]!.status)
      }
    },
    { timeout: 20_000, interval: 100 },
  )
}, 120_000)
