import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

/** Faults outside of everything that waits for a call, by the query that causes each. */
const FAULTS = {
  thrown: "setImmediate(() => { throw new Error('thrown') })",
  rejected: "void Promise.reject(new Error('rejected'))",
  unheard: "new EventEmitter().emit('error', new Error('unheard'))",
} as const

const PRELOADED = `
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
const FAULTS = { ${Object.entries(FAULTS)
  .map(([name, code]) => `${name}: () => { ${code} }`)
  .join(', ')} }
subscribe('http.server.request.start', ({ request }) => {
  FAULTS[new URLSearchParams(request.url.split('?')[1]).get('fault')]?.()
})`

let upstream: FakeUpstream
let dataDir: string
let gateway: GatewayProcess
let output = ''
beforeAll(async () => {
  upstream = await startFakeCompatible({ models: ['cloud'] })
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-faults-'))
  gateway = await startGatewayProcess({
    DATA_DIR: dataDir,
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'key',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRELOADED)}`,
  })
  for (const stream of [gateway.child.stdout!, gateway.child.stderr!])
    stream.on('data', (part: Buffer) => (output += part.toString()))
})
afterAll(async () => {
  if (gateway.child.exitCode === null) await gateway.kill()
  await upstream.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('nothing that is thrown while a request is served ends the gateway, or an answer to another one', async () => {
  const headers = { 'Content-Type': 'application/json', Authorization: '' }
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  const post = (target: string, body: object) =>
    fetch(gateway.url + target, { method: 'POST', headers, body: JSON.stringify(body) })
  const { token } = (await (await post('/api/v1/auths/signup', account)).json()) as {
    token: string
  }
  headers.Authorization = `Bearer ${token}`
  await (await fetch(`${gateway.url}/api/models`, { headers })).text()
  const messages = [{ role: 'user', content: '/slow 60' }]
  const answer = await post('/api/chat/completions', { model: 'cloud', messages, stream: true })
  for (const fault of Object.keys(FAULTS)) {
    // The gateway may not be able to answer this one call.
    await fetch(`${gateway.url}/health?fault=${fault}`).catch(() => undefined)
    expect([fault, (await fetch(`${gateway.url}/health`)).status]).toEqual([fault, 200])
    await expect.poll(() => output).toContain(`Error: ${fault}`)
  }
  expect(await answer.text()).toMatch(/word59[\s\S]*data: \[DONE\]\n\n$/)
  const ended = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  await ended
  expect(gateway.child.exitCode).toBe(0)
})

test('a log that is no longer read neither ends the gateway nor keeps it busy', async () => {
  const closed = await startGatewayProcess({
    DATA_DIR: createTemporaryFolder(),
    LOG_LEVEL: 'debug',
  })
  onTestFinished(() => closed.kill())
  closed.child.stderr!.destroy()
  const times = (): number => {
    const fields = readFileSync(`/proc/${closed.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  for (let count = 0; count < 3; count += 1)
    expect((await fetch(`${closed.url}/health`)).status).toBe(200)
  const before = times()
  await sleep(1000)
  expect(times() - before).toBeLessThan(400)
})

const MODULE = path.resolve(import.meta.dirname, 'survive-faults.ts')
const ERRORS = path.resolve(import.meta.dirname, '../lib/errors.ts')

/** Returns the output of a process with an unhandled rejection. */
const outputOf = (code: string): string =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { surviveFaults } from ${JSON.stringify(MODULE)}
       import { unavailable } from ${JSON.stringify(ERRORS)}
       const say = (level) => (_facts, text) => console.log(level, text)
       surviveFaults({ warn: say('warn'), error: say('error') })
       void Promise.reject(unavailable('Away.', { code: ${JSON.stringify(code)} }))`,
    ],
    { encoding: 'utf8' },
  ).stdout

test('a database that goes away while nobody waits is told as an outage, anything else as a fault', () => {
  expect(outputOf('database_unavailable')).toMatch(/^warn .*the database is unavailable/)
  expect(outputOf('something_else')).toMatch(/^error a rejected promise was not handled/)
})
