import { randomBytes } from 'node:crypto'
import http from 'node:http'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readEnvironment } from '../launch/environment.ts'
import { spawnNode } from './gateway.ts'
import { createLogger } from '../profile/log.ts'
import type { RestartPolicy } from './restart-policy.ts'
import { Supervisor, type GatewayState, type SupervisorOptions } from './supervise-gateway.ts'

vi.mock('electron', () => ({ utilityProcess: {} }))

const entry = path.join(import.meta.dirname, '../__fixtures__/gateway.mjs')
const rootSecret = randomBytes(32).toString('base64')
const running: Supervisor[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((supervisor) => supervisor.stop()))
})

/** `delays` are the waits before each restart; after the last the policy gives up. */
function fixedPolicy(delays: number[]): Pick<RestartPolicy, 'next' | 'reset'> {
  let crashes = 0
  return {
    next: () => delays[crashes++] ?? null,
    reset() {
      crashes = 0
    },
  }
}

function get(url: string): Promise<{ pid: number; isPaused: boolean; recovery: string | null }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    pid: number
    isPaused: boolean
    recovery: string | null
  }>()
  http
    .get(url, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve(JSON.parse(text)))
    })
    .on('error', reject)
  return promise
}

const limits = { start: 10_000, stop: 300, code: 300, backup: 300, watch: 10_000 }

interface SceneOptions extends Partial<SupervisorOptions> {
  readonly scene?: string
  readonly node?: string
}

function supervise({ scene = 'good', node = process.execPath, ...overrides }: SceneOptions = {}) {
  const states: GatewayState[] = []
  const waiting: { name: GatewayState['name']; resolve: (state: GatewayState) => void }[] = []
  const supervisor = new Supervisor({
    spawn: (recovery) =>
      spawnNode(node, {
        entry,
        environment: {
          ...readEnvironment().forGateway,
          SCENE: scene,
          ...(recovery && { DATABASE_RECOVERY: recovery }),
        },
        onOutput: () => undefined,
      }),
    start: {
      dataDir: '/nowhere',
      profile: '/nowhere',
      port: 0,
      logLevel: 'info',
    },
    isHealthy: (url) =>
      get(url).then(
        () => true,
        () => false,
      ),
    findProxies: async (origin) => `PROXY of-${new URL(origin).hostname}:3128; DIRECT`,
    onSealed: () => undefined,
    onState(state) {
      states.push(state)
      for (const waiter of waiting.splice(0)) {
        if (waiter.name === state.name) waiter.resolve(state)
        else waiting.push(waiter)
      }
    },
    log: createLogger('silent', () => undefined),
    logs: '/nowhere/logs',
    policy: fixedPolicy([10, 10, 10]),
    limits,
    ...overrides,
  })
  running.push(supervisor)
  const next = <Name extends GatewayState['name']>(name: Name) =>
    new Promise<Extract<GatewayState, { name: Name }>>((resolve) => {
      waiting.push({ name, resolve: resolve as (state: GatewayState) => void })
    })
  return { supervisor, states, next, names: () => states.map(({ name }) => name) }
}

async function startReady(options: SceneOptions = {}) {
  const fixture = supervise(options)
  const ready = fixture.next('ready')
  fixture.supervisor.start(rootSecret)
  return { ...fixture, url: (await ready).url }
}

test('the gateway is ready once its address answers; nonsense on the channel is ignored', async () => {
  const { url, names } = await startReady()
  expect((await get(url)).pid).not.toBe(process.pid)
  expect(names()).toEqual(['starting', 'ready'])
})

test('a gateway that asks for the proxies of the system is told them, and told where nobody knows', async () => {
  const { url } = await startReady()
  await get(`${url}/proxies`)
  await expect
    .poll(() => get(url))
    .toMatchObject({ proxies: [{ id: 7, route: 'PROXY of-models.example:3128; DIRECT' }] })
  const other = await startReady({ findProxies: () => Promise.reject(new Error('no session')) })
  await get(`${other.url}/proxies`)
  await expect.poll(() => get(other.url)).toMatchObject({ proxies: [{ id: 7, route: null }] })
})

test('a change of sealed mode is passed on', async () => {
  const onSealed = vi.fn()
  const { url } = await startReady({ onSealed })
  expect(onSealed).not.toHaveBeenCalled()
  await get(`${url}/sealed`)
  await expect.poll(() => onSealed.mock.calls.length).toBe(1)
})

test('after a crash another process serves the same port', async () => {
  const { url, next, names } = await startReady()
  const before = await get(url)
  const again = next('ready')
  await get(`${url}/crash`).catch(() => undefined)
  expect((await again).url).toBe(url)
  expect((await get(url)).pid).not.toBe(before.pid)
  expect(names()).toEqual(['starting', 'ready', 'restarting', 'ready'])
})

test('a pause reaches the gateway, and the one that takes its place after a crash', async () => {
  const { supervisor, url, next } = await startReady()
  supervisor.setPaused(true)
  await expect.poll(async () => (await get(url)).isPaused).toBe(true)
  const again = next('ready')
  await get(`${url}/crash`).catch(() => undefined)
  await again
  await expect.poll(async () => (await get(url)).isPaused).toBe(true)
  supervisor.setPaused(false)
  await expect.poll(async () => (await get(url)).isPaused).toBe(false)
})

test('when restarts are used up the gateway counts as failed, and a restart by hand begins anew', async () => {
  const { supervisor, next, names } = supervise({ scene: 'crashes' })
  const failed = next('failed')
  supervisor.start(rootSecret)
  expect(await failed).toMatchObject({ failure: null })
  expect(names()).toEqual(['starting', 'restarting', 'restarting', 'restarting', 'failed'])
  const failedAgain = next('failed')
  await supervisor.restart()
  await failedAgain
  expect(names().slice(5)).toEqual([
    'restarting',
    'restarting',
    'restarting',
    'restarting',
    'failed',
  ])
})

test('a reason given by the gateway itself is shown at once instead of trying again', async () => {
  const { supervisor, next, names } = supervise({ scene: 'locked' })
  const failed = next('failed')
  supervisor.start(rootSecret)
  expect(await failed).toMatchObject({
    detail: 'The data folder is in use.',
    failure: { reason: 'locked', choices: [] },
  })
  expect(names()).toEqual(['starting', 'failed'])
})

test('the person’s answer to a damaged database reaches the next start and no later one', async () => {
  const { supervisor, next } = supervise({ scene: 'damaged' })
  const failed = next('failed')
  supervisor.start(rootSecret)
  expect((await failed).failure?.choices).toEqual(['restore', 'fresh'])
  const ready = next('ready')
  await supervisor.restart('restore')
  expect(await get((await ready).url)).toMatchObject({ recovery: 'restore' })
  const failedAgain = next('failed')
  await supervisor.restart()
  await failedAgain
})

test('R34: a stop ends the process and frees the port; one that does not listen is killed', async () => {
  for (const scene of ['good', 'stubborn']) {
    const { supervisor, url, names } = await startReady({ scene })
    await supervisor.stop()
    await expect(get(url)).rejects.toThrow('ECONNREFUSED')
    expect(names()).toEqual(['starting', 'ready', 'stopped'])
  }
})

test('a stop while waiting for a restart ends the waiting', async () => {
  const { supervisor, next, names } = supervise({ scene: 'crashes', policy: fixedPolicy([60_000]) })
  const restarting = next('restarting')
  supervisor.start(rootSecret)
  await restarting
  await supervisor.stop()
  expect(names()).toEqual(['starting', 'restarting', 'stopped'])
})

test('a stop during a restart wins', async () => {
  const { supervisor, names } = await startReady()
  const restart = supervisor.restart()
  await supervisor.stop()
  await restart
  expect(supervisor.state.name).toBe('stopped')
  expect(names()).toEqual(['starting', 'ready', 'restarting', 'stopped'])
})

test('a gateway that never becomes ready is killed and tried again', async () => {
  const { supervisor, next } = supervise({
    scene: 'silent',
    limits: { ...limits, start: 50 },
    policy: fixedPolicy([]),
  })
  const failed = next('failed')
  supervisor.start(rootSecret)
  expect(await failed).toMatchObject({ failure: null })
})

test('a process that stops answering is reported until it answers again, and can be restarted', async () => {
  const { supervisor, url, next } = await startReady({ limits: { ...limits, watch: 200 } })
  const { pid } = await get(url)
  const silent = next('ready')
  process.kill(pid, 'SIGSTOP')
  expect(await silent).toEqual({ name: 'ready', url, isSilent: true })
  const answering = next('ready')
  process.kill(pid, 'SIGCONT')
  expect(await answering).toEqual({ name: 'ready', url, isSilent: false })
  process.kill(pid, 'SIGSTOP')
  expect(await next('ready')).toMatchObject({ isSilent: true })
  const again = next('ready')
  await supervisor.restart()
  expect(await again).toEqual({ name: 'ready', url })
  expect((await get(url)).pid).not.toBe(pid)
})

test('a missing program counts as a crash', async () => {
  const { supervisor, next } = supervise({ node: '/nowhere/node', policy: fixedPolicy([]) })
  const failed = next('failed')
  supervisor.start(rootSecret)
  expect(await failed).toMatchObject({ failure: null })
})

test('each sign-in code comes fresh from the running gateway', async () => {
  const { supervisor } = await startReady()
  const codes = await Promise.all([supervisor.requestCode(), supervisor.requestCode()])
  expect(new Set(codes).size).toBe(2)
})

test('without a running gateway, or without its answer, there is no code', async () => {
  await expect(supervise().supervisor.requestCode()).rejects.toThrow('not running')
  const mute = await startReady({ scene: 'mute' })
  await expect(mute.supervisor.requestCode()).rejects.toThrow('did not answer')
  // The process must end before any answer is overdue, however busy the machine is.
  const dying = await startReady({ scene: 'mute', limits: { ...limits, code: 10_000 } })
  const code = dying.supervisor.requestCode()
  await Promise.all([
    expect(code).rejects.toThrow('stopped before'),
    get(`${dying.url}/crash`).catch(() => undefined),
  ])
})

test('the gateway says how many answers run, and copies the database or says why not', async () => {
  const { supervisor } = await startReady()
  expect(await supervisor.countAnswers()).toBe(2)
  expect(await supervisor.backUp('before-update')).toBe('/copy.db')
  await expect(supervisor.backUp('elsewhere')).rejects.toThrow('no space for a backup')
})

test('without a running gateway no answer runs and no copy is made', async () => {
  const { supervisor } = supervise()
  expect(await supervisor.countAnswers()).toBe(0)
  await expect(supervisor.backUp('before-update')).rejects.toThrow('not running')
})
