import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import type { WorkerProcess } from '../../plugins/index.ts'
import type { Cell } from './runner.ts'
import { Runners, type Phase } from './runners.ts'
import { settingsOf } from '../../testing/settings-of.ts'

/** Speaks the protocol of a cell process; a cell is JavaScript whose value becomes its stdout. */
const PROGRAM = `
const { createInterface } = require('node:readline')
const { Socket } = require('node:net')
const out = new Socket({ fd: 4, readable: false, writable: true })
const say = (message) => out.write(JSON.stringify(message) + '\\n')
const none = { stderr: '', result: null, error: null, files: [], pictures: [], html: null }
createInterface({ input: new Socket({ fd: 3 }) }).on('line', async (line) => {
  const { id, code } = JSON.parse(line)
  const stdout = String(await eval(code))
  say({ type: 'result', id, result: { status: 'ok', stdout, ...none } })
})
say({ type: 'ready' })`

const limits = { CODE_PROCESS_LIMIT: 2, CODE_MEMORY_LIMIT: 64, CODE_IDLE_TIMEOUT: 600 }
let started: WorkerProcess[] = []
let free = Infinity

async function start(): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  await once(child, 'spawn')
  const one: WorkerProcess = {
    pid: child.pid,
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    onPrinted: () => undefined,
    onExit: (listener) => void child.once('exit', () => listener('ended')),
    kill: () => void child.kill('SIGKILL'),
  }
  started.push(one)
  return one
}

const open: Runners[] = []
function create(): Runners {
  Object.assign(limits, { CODE_PROCESS_LIMIT: 2, CODE_MEMORY_LIMIT: 64, CODE_IDLE_TIMEOUT: 600 })
  free = Infinity
  started = []
  const settings = settingsOf(limits)
  const runners = new Runners({ settings, start, availableMemory: () => free })
  open.push(runners)
  return runners
}
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((runners) => runners.close()))
})

const cell = (code: string): Cell => ({
  id: crypto.randomUUID(),
  code,
  outputLimit: 1000,
  fileLimit: 1000,
  files: [],
  timeoutMs: 20_000,
})
function run(runners: Runners, userId: string, code: string) {
  const phases: Phase[] = []
  const stop = new AbortController()
  const place = { userId, chatId: `of ${userId}` }
  const options = { signal: stop.signal, onPhase: (phase: Phase) => void phases.push(phase) }
  return { phases, stop, place, ended: runners.run(place, cell(code), options) }
}
const printed = (text: string) => ({ kind: 'result', result: { stdout: text } })
/** Runs until the test aborts it. */
const WAIT = 'new Promise(() => setInterval(() => {}, 1000))'

it('a call beyond the limit of processes waits, and runs when one of the others has ended', async () => {
  const runners = create()
  const [ada, bob] = ['ada', 'bob'].map((user) => run(runners, user, WAIT))
  await expect
    .poll(() => [ada!, bob!].map(({ phases }) => phases.at(-1)))
    .toEqual(['running', 'running'])
  const cy = run(runners, 'cy', '6 * 7')
  await expect.poll(() => cy.phases).toEqual(['queued'])
  expect(started).toHaveLength(2)
  ada!.stop.abort()
  expect(await ada!.ended).toEqual({ kind: 'stopped' })
  expect(await cy.ended).toMatchObject(printed('42'))
  expect(cy.phases).toEqual(['queued', 'loading', 'running'])
  // One user gets at most half of the processes: a second chat of the same user ends the first,
  // idle one.
  const place = { userId: 'cy', chatId: 'another' }
  const options = { signal: new AbortController().signal, onPhase: () => undefined }
  expect(await runners.run(place, cell('1'), options)).toMatchObject(printed('1'))
  expect(runners.stateOf(cy.place).state).toBe('none')
  bob!.stop.abort()
  await bob!.ended
})

it('a process that runs nothing for the idle time ends; one that is busy stays', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const runners = create()
  limits['CODE_IDLE_TIMEOUT'] = 30
  const ada = run(runners, 'ada', '1')
  await ada.ended
  const bob = run(runners, 'bob', WAIT)
  await vi.waitFor(() => expect(bob.phases.at(-1)).toBe('running'))
  vi.advanceTimersByTime(29_000)
  expect(runners.stateOf(ada.place).state).toBe('idle')
  vi.advanceTimersByTime(6000)
  await vi.waitFor(() => expect(runners.stateOf(ada.place).state).toBe('none'))
  expect(runners.stateOf(bob.place).state).toBe('running')
  expect(process.kill(started[1]!.pid!, 0)).toBe(true)
  await vi.waitFor(() => expect(() => process.kill(started[0]!.pid!, 0)).toThrow('ESRCH'))
  bob.stop.abort()
  await bob.ended
})

it('one process is loaded ahead where there is room, and the next chat takes it over', async () => {
  const runners = create()
  await Promise.all([runners.warm(), runners.warm()])
  await runners.warm()
  expect(started).toHaveLength(1)
  const ada = run(runners, 'ada', 'process.pid')
  expect(await ada.ended).toMatchObject(printed(String(started[0]!.pid)))
  expect(await run(runners, 'bob', 'process.pid').ended).toMatchObject(
    printed(String(started[1]!.pid)),
  )
  // As many processes are running as the limit allows.
  await runners.warm()
  limits['CODE_PROCESS_LIMIT'] = 4
  free = 2 * (64 + 640) * 1024 * 1024 - 1
  await runners.warm()
  expect(started).toHaveLength(2)
  free += 1
  await runners.warm()
  expect(started).toHaveLength(3)
  // A process keeps the memory limit it was started with.
  limits['CODE_MEMORY_LIMIT'] = 32
  expect(await run(runners, 'cy', 'process.pid').ended).toMatchObject(
    printed(String(started[3]!.pid)),
  )
  await sleep(0)
  expect(() => process.kill(started[2]!.pid!, 0)).toThrow('ESRCH')
})
