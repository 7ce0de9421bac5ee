import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CodeResult, CodeState } from '#contract/code.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { pluginEnvironment, pluginPython } from '../testing/plugin-python.ts'

const MOST_SECONDS = 6

let conversation: Conversation
let chatId: string

beforeAll(async () => {
  const environment = {
    ...pluginEnvironment,
    CODE_TIMEOUT: String(MOST_SECONDS),
    CODE_MEMORY_LIMIT: '256',
    CODE_SECRET: 'not-for-code',
  }
  conversation = await startConversation({ environment })
  chatId = (await conversation.createChat('Sums')).chat_id
  writeFileSync(path.join(conversation.server.dataDir, 'bait.txt'), 'the bait')
}, 60_000)
afterAll(() => conversation.close())

const call = (method: string, target: string, body?: unknown, token = conversation.token) =>
  conversation.server.call(method, target, { token, ...(body !== undefined && { body }) })

async function run(code: string, more: Record<string, unknown> = {}): Promise<CodeResult> {
  const reply = await call('POST', '/api/v1/code/runs', { code, chat_id: chatId, ...more })
  expect(reply.status).toBe(200)
  return (await reply.json()) as CodeResult
}

async function state(chat = chatId): Promise<CodeState> {
  return (await (await call('GET', `/api/v1/code?chat_id=${chat}`)).json()) as CodeState
}

/** Returns the ids of the cell processes this test process has now. */
function findRunners(): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const words = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : ''
      return (
        words.includes('code/runner/main.ts') &&
        readFileSync(`/proc/${name}/stat`, 'utf8').split(' ')[3] === String(process.pid)
      )
    } catch {
      return false
    }
  })
}

const runners = (): number => findRunners().length

/** Returns the priority of each thread of a process. */
const prioritiesOf = (pid: string): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)))

/** Returns the number of processes that code of a cell started, whatever their parent is now. */
const offspring = (): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').endsWith('\0' + '61.5\0')
      )
    } catch {
      return false
    }
  }).length

const untilGone = async (): Promise<void> => {
  for (let tries = 0; runners() > 0 && tries < 50; tries += 1) await sleep(20)
}

/** Defines `fork_all`, which tries every way to start a process or a thread. */
const FORKS = `from pyodide.ffi import to_js
import os, subprocess, threading
out = to_js({"a": 1}).constructor.constructor
spawn = out("""
  try { process.getBuiltinModule('node:child_process').spawn('/bin/sleep', ['61.5']); return 1 } catch {}
  try { process.getBuiltinModule('node:child_process').fork('x'); return 1 } catch {}
  try { new (process.getBuiltinModule('node:worker_threads').Worker)('1', { eval: true }); return 1 } catch {}
  return 0""")
def fork_all():
    got = spawn()
    for begin in (os.fork, lambda: subprocess.Popen(["true"]), threading.Thread(target=print).start):
        try:
            begin()
            got += 1
        except (OSError, RuntimeError, AttributeError):
            pass
    return got
`

describe.skipIf(pluginPython === null || process.platform !== 'linux')(
  'Python of a chat in a process of the gateway',
  () => {
    it(
      'prints, answers the last value and keeps variables; errors say the line of the cell',
      { timeout: 60_000 },
      async () => {
        expect((await state()).process).toEqual({ state: 'none', run_id: null })
        expect(await run('x = 40\nprint("here")\nx + 2')).toMatchObject({
          status: 'ok',
          stdout: 'here\n',
          stderr: '',
          result: '42',
          engine: 'gateway',
        })
        expect(await run('x + 1')).toMatchObject({ result: '41' })
        const failed = await run('def f():\n    raise ValueError("no")\n\nf()')
        expect(failed).toMatchObject({
          status: 'error',
          error: { name: 'ValueError', message: 'no', line: 2 },
        })
        expect(failed.stderr).toMatch(/^Traceback[^]*line 4, in <module>[^]*ValueError: no/)
        expect(await run('x +')).toMatchObject({
          status: 'error',
          error: { name: 'SyntaxError', line: 1 },
        })
        expect(await run('import numpy')).toMatchObject({
          error: {
            message: expect.stringContaining('An administrator can have it fetched') as string,
          },
        })
        expect((await state()).process).toEqual({ state: 'idle', run_id: null })
        const [pid] = findRunners()
        expect([...new Set(prioritiesOf(pid!))]).toEqual([10])
      },
    )

    it('takes and gives files of the person', { timeout: 60_000 }, async () => {
      const form = new FormData()
      form.set('file', new File(['a,b\n1,2\n'], '../in.csv'))
      const headers = { Authorization: `Bearer ${conversation.token}` }
      const uploaded = await fetch(`${conversation.server.url}/api/v1/files/?process=false`, {
        method: 'POST',
        headers,
        body: form,
      })
      const { id } = (await uploaded.json()) as { id: string }
      const result = await run(
        'open("out.txt", "w").write(open("/mnt/uploads/in.csv").read().upper()); None',
        {
          files: [{ id, name: '../in.csv' }],
        },
      )
      expect(result).toMatchObject({ status: 'ok', files: [{ name: 'out.txt', size: 8 }] })
      const content = await call('GET', `/api/v1/files/${result.files[0]!.id}/content`)
      expect(await content.text()).toBe('A,B\n1,2\n')
      const strange = await run('1', { files: [{ id: randomUUID(), name: 'x' }] })
      expect(strange.stderr).toContain('there is no such file')
      const many = await run('for at in range(101): open(f"{at}.txt", "w").close()')
      expect(many.files).toHaveLength(100)
      expect(many.stderr).toContain('more than 100 files; the rest is left out')
    })

    it(
      'reaches nothing of the machine: no folder of data, environment, network or program',
      { timeout: 60_000 },
      async () => {
        const bait = path.join(conversation.server.dataDir, 'bait.txt')
        expect(await run('import js')).toMatchObject({
          error: { message: "The module 'js' is not available to code." },
        })
        expect(await run('import pyodide_js')).toMatchObject({
          error: { name: 'ModuleNotFoundError' },
        })
        // Escapes from Python into the process itself, as hostile code does.
        const escape = `from pyodide.ffi import to_js
out = to_js({"a": 1}).constructor.constructor
def attempt(words):
    return out("try { return String((() => {" + words + "})()) } catch (error) { return 'refused: ' + (error.code ?? error.message) }")()
node = "const get = (name) => process.getBuiltinModule('node:' + name);"
`
        const told = await run(`${escape}
import json
print(json.dumps([
  attempt(node + "return get('fs').readFileSync('${bait}', 'utf8')"),
  attempt(node + "return get('fs').readFileSync('/etc/passwd', 'utf8')"),
  attempt(node + "return get('fs').writeFileSync('${path.join(process.cwd(), 'node_modules/pyodide/pyodide.mjs')}', 'x')"),
  attempt(node + "return get('child_process').spawnSync('/bin/true').status"),
  attempt(node + "new (get('worker_threads').Worker)('1', { eval: true }); return 'a thread'"),
  attempt("return JSON.stringify(process.env)"),
]))`)
        expect(told.status).toBe('ok')
        const answers = JSON.parse(told.stdout) as string[]
        expect(answers.slice(0, 5).every((answer) => answer.startsWith('refused'))).toBe(true)
        expect(answers[5]).not.toContain('not-for-code')
        // Beyond the permissions of Node: what the operating system refuses.
        const socket = await run(`${escape}
await out("""return fetch(${JSON.stringify(conversation.server.url)}).then(() => 'reached', (error) => 'refused ' + error.cause)""")()`)
        expect(socket.result).toContain('refused')
        expect(
          await run('import os; os.listdir("/"), dict(os.environ).get("CODE_SECRET")'),
        ).toMatchObject({
          status: 'ok',
          result: expect.not.stringContaining('not-for-code') as string,
        })
        expect((await run('import os; dict(os.environ)')).result).not.toContain(process.cwd())
        expect(await run(`${FORKS}sum(fork_all() for _ in range(300))`)).toMatchObject({
          status: 'ok',
          result: '0',
        })
      },
    )

    it(
      'is ended at its limits with a sentence, and leaves no process behind',
      { timeout: 90_000 },
      async () => {
        const printed = await run('for _ in range(100_000): print("y" * 99)')
        expect(printed.stdout.length).toBe(256 * 1024)
        expect(printed.stderr).toContain('the rest is left out')
        expect(await run('text = "x" * (1 << 30)')).toMatchObject({
          status: 'error',
          error: { name: 'MemoryError' },
        })
        const begun = performance.now()
        expect(await run('while True: pass')).toMatchObject({
          status: 'timeout',
          stderr: expect.stringContaining(`time limit of ${MOST_SECONDS} seconds`) as string,
        })
        expect(performance.now() - begun).toBeLessThan((MOST_SECONDS + 4) * 1000)
        await untilGone()
        expect(runners()).toBe(0)
        // A new process has no state of the old one, and what code writes to its output cannot pass
        // for a result.
        expect(await run('x')).toMatchObject({ error: { name: 'NameError' } })
        const forged = await run(`from pyodide.ffi import to_js
to_js({"a": 1}).constructor.constructor("""process.getBuiltinModule('node:fs').writeSync(4, 'nonsense\\\\n'); while (true);""")()`)
        expect(forged).toMatchObject({
          status: 'failed',
          stderr: expect.stringContaining('cannot be read') as string,
        })
        // Neither can what it writes as it exits.
        const left = await run(`from pyodide.ffi import to_js
to_js({"a": 1}).constructor.constructor("process.getBuiltinModule('node:fs').writeSync(2, 'All is well.'); process.exit(3)")()`)
        expect(left).toMatchObject({
          status: 'failed',
          stderr: 'The process of the code is gone: it ended with exit code 3',
        })
        // Memory allocated outside of Python counts as well.
        const hog = await run(`from pyodide.ffi import to_js
to_js({"a": 1}).constructor.constructor("const all = []; for (;;) all.push(Buffer.alloc(1 << 25, 1))")()`)
        expect(hog).toMatchObject({
          status: 'memory',
          stderr: 'The code was stopped because it used too much memory. Its variables are lost.',
        })
      },
    )

    it(
      'is stopped within a second, by the one who began it alone',
      { timeout: 60_000 },
      async () => {
        const id = randomUUID()
        await run('1')
        const running = run(`${FORKS}while True: fork_all()`, { id })
        while ((await state()).process.state !== 'running') await sleep(20)
        expect((await state()).process.run_id).toBe(id)
        expect(offspring()).toBe(0)
        const bob = await conversation.addUser('Bob')
        expect((await call('POST', `/api/v1/code/runs/${id}/stop`, undefined, bob)).status).toBe(
          404,
        )
        const begun = performance.now()
        expect(await (await call('POST', `/api/v1/code/runs/${id}/stop`)).json()).toEqual({
          status: true,
        })
        expect(await running).toMatchObject({
          status: 'stopped',
          stderr: 'The code was stopped. Its variables are lost.',
        })
        expect(performance.now() - begun).toBeLessThan(1000)
        expect(offspring()).toBe(0)
        expect(
          (await call('POST', '/api/v1/code/runs', { code: '1', chat_id: chatId }, bob)).status,
        ).toBe(404)
        await run('1')
        expect(await (await call('DELETE', `/api/v1/code?chat_id=${chatId}`)).json()).toEqual({
          status: true,
        })
        expect(runners()).toBe(0)
      },
    )
  },
)
