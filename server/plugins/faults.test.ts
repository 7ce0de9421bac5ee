import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PluginState } from '#contract/plugins.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { pluginEnvironment, pluginPython } from '../testing/plugin-python.ts'
import { startGatewayProcess } from '../testing/start-process.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

const GOOD = `class Tools:
    async def add(self, a: int, b: int) -> int:
        return a + b
`

/**
 * Argument of `sleep` in these tests; tells their processes from those of other runs on this
 * machine.
 */
const MANY = `4322.${process.pid}`
const ALONE = `4323.${process.pid}`

const BAD = `import asyncio, os, signal, sys, time, ctypes


class Tools:
    async def leave(self):
        os._exit(7)

    async def kill(self):
        os.kill(os.getpid(), signal.SIGKILL)

    async def crash(self):
        ctypes.string_at(0)

    async def hang(self):
        time.sleep(3600)

    async def block(self):
        time.sleep(6)
        return "blocked"

    def eat(self):
        hold = []
        while True:
            hold.append(bytearray(64 * 1024 * 1024))

    async def babble(self):
        os.write(1, b"garbage on stdout " * 100000)
        sys.stdout.write("x" * 5000000)
        return "babbled"

    async def garble(self):
        for fd in range(3, 64):
            try:
                os.write(fd, b"\\xff" * 64)
            except OSError:
                pass
        return "garbled"

    async def flood(self, __event_emitter__=None):
        for n in range(8000):
            await __event_emitter__({"type": "custom", "data": {"n": n}})
        return "flooded"

    def multiply(self, count: int, stay: int):
        import subprocess
        started = [subprocess.Popen(["sleep", "${MANY}"], start_new_session=n % 2 == 0) for n in range(count)]
        time.sleep(stay)
        return str(len(started))

    async def daemon(self):
        import subprocess
        return str(subprocess.Popen(["sleep", "${ALONE}"], start_new_session=True).pid)

    async def spawn(self):
        import subprocess
        subprocess.Popen(["sleep", "4321"])
        return str(os.getpid())
`

const LEAVING = `import os


class Filter:
    def inlet(self, body):
        return None if body["messages"][-1]["content"] == "Forget it" else body

    def stream(self, event):
        os._exit(7)
`

describe.skipIf(pluginPython === null)('A plugin that goes wrong', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins({
      PLUGIN_MEMORY_LIMIT: '1024',
      PLUGIN_PROCESS_LIMIT: '100',
      LOG_LEVEL: 'silent',
    })
    await plugins.createTool('good', GOOD)
    await plugins.createTool('bad', BAD)
  }, 60_000)
  afterAll(() => plugins.close())

  const run = (hook: string, id = 'bad', args: object = {}) =>
    plugins.api('POST', `plugins/tool/${id}/run`, { hook, arguments: args }) as Promise<{
      status: string
      result: { text: string }
      error: { message: string }
    }>
  const add = async (): Promise<string> => (await run('add', 'good', { a: 2, b: 3 })).result.text
  const state = () => plugins.api('GET', 'plugins/state') as Promise<PluginState>
  const recover = () => plugins.api('POST', 'plugins/tool/bad/recover')

  test.each(['leave', 'kill', 'crash'])(
    '%s: the call fails with a sentence, the plugin starts again and the others go on',
    async (hook) => {
      expect(await add()).toBe('5')
      const failed = await run(hook)
      expect(failed).toMatchObject({
        status: 'failed',
        error: {
          message: expect.stringMatching(
            /process the plugin runs in ended: it (ended with exit code 7|was ended by SIG)/,
          ),
        },
      })
      expect(await add()).toBe('5')
      expect((await run('babble')).status).toBe('done')
      await recover()
    },
    30_000,
  )

  test('a filter whose process ends on an answer fails it with a sentence that names it', async () => {
    await plugins.createFunction('leaving', LEAVING)
    const sentence = expect.stringMatching(
      /^The answer could not pass through its filters \(leaving\): The process the plugin runs in ended: it ended with exit code 7\./,
    )
    await plugins.withGlobal('leaving', async () => {
      plugins.rounds([say('Hello.')])
      const refused = await plugins.complete({ messages: [{ role: 'user', content: 'Forget it' }] })
      expect(refused).toMatchObject({
        status: 400,
        body: {
          detail: 'The filter leaving returned no request. Its inlet has to return the body.',
        },
      })
      for (const stream of [false, true]) {
        const reply = await plugins.complete({ stream })
        expect(reply).toMatchObject({ status: 502, body: { detail: sentence } })
      }
      const { message } = await plugins.askInChat('Go')
      expect(message).toMatchObject({ done: true, error: { content: sentence } })
      const [trace] = (await plugins.api('GET', 'plugins/traces?plugin_id=leaving')) as object[]
      expect(trace).toMatchObject({ hook: 'stream', status: 'failed' })
    })
  }, 30_000)

  test('once it crashed it has a process of its own, and its next crash fails no call of others', async () => {
    await run('leave')
    await run('babble')
    const slow = Promise.all(Array.from({ length: 10 }, add))
    await run('leave')
    expect(await slow).toEqual(Array.from({ length: 10 }, () => '5'))
    await recover()
  }, 30_000)

  test('five crashes within a minute disable it with the reason, until an administrator lets it run again', async () => {
    // Restart delays grow with each crash.
    const crash = async (): Promise<string> => {
      let message = ''
      const tryAgain = async () => (message = (await run('leave')).error.message)
      await expect
        .poll(tryAgain, { timeout: 30_000, interval: 200 })
        .not.toContain('can be used again')
      return message
    }
    for (let count = 0; count < 8; count += 1) if ((await crash()).includes('disabled')) break
    expect(await add()).toBe('5')
    const { faults } = await state()
    expect(faults).toMatchObject([
      {
        store: 'tool',
        plugin_id: 'bad',
        detail: expect.stringContaining('five times within a minute'),
      },
    ])
    expect((await run('babble')).error.message).toContain('disabled')
    await recover()
    expect((await run('babble')).status).toBe('done')
  }, 60_000)

  test('a blocked loop keeps nobody else waiting', async () => {
    const blocked = run('block')
    await expect
      .poll(async () => (await state()).workers.map(({ status }) => status), { timeout: 6000 })
      .toContain('blocked')
    const { workers } = await state()
    let isOver = false
    void blocked.then(() => (isOver = true))
    expect(await add()).toBe('5')
    expect(isOver).toBe(false)
    // In the same process, with its state.
    expect((await state()).workers.map(({ id }) => id)).toEqual(workers.map(({ id }) => id))
    expect(await blocked).toMatchObject({ status: 'done', result: { text: 'blocked' } })
    await expect
      .poll(async () => (await state()).workers.map(({ status }) => status))
      .toEqual(workers.map(() => 'ready'))
  }, 30_000)

  test('stopping an answer ends a tool that does not listen, within five seconds', async () => {
    plugins.rounds([callTool('hang')], [say('never')])
    const { chat, taskId } = await plugins.beginInChat('Hang', { tool_ids: ['bad'] })
    await expect
      .poll(async () => JSON.stringify(await plugins.readMessage(chat)), { timeout: 5000 })
      .toContain('Using hang')
    const isRunning = async () =>
      (await state()).workers.some(({ plugins: running }) => running.includes('tool:bad'))
    await expect.poll(isRunning, { timeout: 5000 }).toBe(true)
    const started = performance.now()
    await plugins.api('POST', `../tasks/stop/${taskId}`)
    expect(await plugins.finished(chat)).toMatchObject({ done: true, error: { code: 'stopped' } })
    await expect.poll(isRunning, { timeout: 5000 }).toBe(false)
    expect(performance.now() - started).toBeLessThan(5500)
    expect(await add()).toBe('5')
    await recover()
  }, 30_000)

  test('memory beyond the limit is an error of the plugin alone', async () => {
    const { status, error } = await run('eat')
    expect(status).toBe('failed')
    expect(error.message).toMatch(/MemoryError|ended/)
    expect(await add()).toBe('5')
    await recover()
  }, 60_000)

  test('floods of prints and events, and garbage on every pipe, leave the gateway as it was', async () => {
    expect((await run('babble')).result.text).toBe('babbled')
    const trace = (await run('flood')) as unknown as { result: { text: string }; events: unknown[] }
    expect(trace.result.text).toBe('flooded')
    expect(trace.events.length).toBeLessThanOrEqual(200)
    const { status } = await run('garble')
    expect(['done', 'failed']).toContain(status)
    expect(await add()).toBe('5')
    await recover()
  }, 90_000)

  test('programs that are started without end cost the process its life, and end with it', async () => {
    expect(await run('multiply', 'bad', { count: 30, stay: 0 })).toMatchObject({
      status: 'done',
      result: { text: '30' },
    })
    await expect.poll(() => countOf(MANY)).toBe(30)
    expect(await run('multiply', 'bad', { count: 400, stay: 30 })).toMatchObject({
      status: 'failed',
      error: {
        message: expect.stringContaining(
          'it started more than 100 processes, which is what PLUGIN_PROCESS_LIMIT allows',
        ),
      },
    })
    await expect.poll(() => countOf(MANY), { timeout: 10_000 }).toBe(0)
    expect(await add()).toBe('5')
    await recover()
  }, 60_000)

  test('what left the group of a process that crashes ends as well', async () => {
    await run('daemon')
    await expect.poll(() => countOf(ALONE)).toBe(1)
    // Detected by the process count before the crash.
    await run('block')
    await run('leave')
    await expect.poll(() => countOf(ALONE), { timeout: 10_000 }).toBe(0)
    await recover()
  }, 60_000)

  test('what plugins started ends with the gateway', async () => {
    const other = await startPlugins({ LOG_LEVEL: 'silent' })
    await other.createTool('bad', BAD)
    const trace = (await other.api('POST', 'plugins/tool/bad/run', { hook: 'spawn' })) as {
      result: { text: string }
    }
    const group = Number(trace.result.text)
    expect(livingIn(group)).toHaveLength(2)
    const started = performance.now()
    await other.close()
    expect(performance.now() - started).toBeLessThan(5000)
    await expect.poll(() => livingIn(group)).toEqual([])
  }, 30_000)

  test('nothing outlives a gateway that is killed', async () => {
    const dataDir = createTemporaryFolder()
    const gateway = await startGatewayProcess({ DATA_DIR: dataDir, ...pluginEnvironment })
    const post = async (
      path: string,
      body: unknown,
      token?: string,
    ): Promise<{ token: string; result: { text: string } }> => {
      const headers = {
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      }
      const reply = await fetch(`${gateway.url}/api/v1/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await reply.json()) as { token: string; result: { text: string } }
    }
    const { token } = await post('auths/signup', {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse battery',
    })
    await post('tools/create', { id: 'bad', name: 'Bad', content: BAD }, token)
    const group = Number((await post('plugins/tool/bad/run', { hook: 'spawn' }, token)).result.text)
    expect(livingIn(group)).toHaveLength(2)
    await gateway.kill()
    await expect.poll(() => livingIn(group), { timeout: 5000 }).toEqual([])
  }, 60_000)
})

const processIds = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Returns the number of running processes called with this argument. */
function countOf(argument: string): number {
  return processIds().filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(argument)
    } catch {
      return false
    }
  }).length
}

/** Returns the processes of a group, without zombies. */
function livingIn(group: number): number[] {
  return processIds().filter((id) => {
    try {
      const [state, , pgrp] = readFileSync(`/proc/${id}/stat`, 'utf8')
        .split(') ')
        .at(-1)!
        .split(' ')
      return Number(pgrp) === group && state !== 'Z'
    } catch {
      return false
    }
  })
}
