import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LocalProgram } from '#contract/programs.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { writeProgram } from '../../testing/write-program.ts'

let folder: string
let port: number
const gateways: TestServer[] = []

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-programs-'))
  port = await freePort()
})
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
  rmSync(folder, { recursive: true })
})

async function open(environment: Record<string, string> = {}) {
  const gateway = await startTestServer({
    environment: {
      PATH: folder,
      OLLAMA_HOST: `127.0.0.1:${port}`,
      LOCAL_RUNTIME_PORTS: String(port),
      ...environment,
    },
  })
  gateways.push(gateway)
  const token = await gateway.signUp('Ada')
  const call = async (method: string, way: string, body?: unknown) => {
    const reply = await gateway.call(method, `/api/v1/connections/${way}`, { token, body })
    return { status: reply.status, body: (await reply.json()) as LocalProgram & { detail: string } }
  }
  const ollama = async (): Promise<LocalProgram | undefined> => {
    const { body } = await call('GET', 'programs')
    return (body as unknown as LocalProgram[]).find(({ id }) => id === 'ollama')
  }
  return { gateway, call, ollama }
}

const readPid = (name = 'ollama'): number =>
  Number(readFileSync(path.join(folder, `${name}.pid`), 'utf8'))

/** A process that has ended but was not reaped counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const file = `/proc/${pid}/stat`
    return !existsSync(file) || !/\) Z /.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

describe('a program that is installed and does not run', () => {
  it('is started when asked for, serves, and ends with the gateway', async () => {
    writeProgram(folder, 'ollama')
    const { gateway, call, ollama } = await open({ WEBUI_SECRET_KEY: 'canary-of-the-gateway' })
    expect(await ollama()).toMatchObject({ state: 'stopped', can_start: true, is_ours: false })
    expect(existsSync(path.join(folder, 'ollama.pid'))).toBe(false)

    const started = await call('POST', 'programs/ollama/start')
    expect(started).toMatchObject({ status: 200, body: { state: 'running', is_ours: true } })
    const found = await call('GET', 'local')
    expect(found.body).toMatchObject([{ url: `http://127.0.0.1:${port}`, model_count: 1 }])

    const handedOn = readFileSync(path.join(folder, 'ollama.environment'), 'utf8')
    expect(handedOn).not.toContain('canary-of-the-gateway')
    expect(JSON.parse(handedOn)).toMatchObject({ OLLAMA_HOST: `127.0.0.1:${port}` })

    const pid = readPid()
    await gateway.close()
    gateways.splice(0)
    expect(isAlive(pid)).toBe(false)
  })

  it('is started once by two presses, and ended when asked for', async () => {
    writeProgram(folder, 'ollama')
    const { call, ollama } = await open()
    const replies = await Promise.all([
      call('POST', 'programs/ollama/start'),
      call('POST', 'programs/ollama/start'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(readFileSync(path.join(folder, 'ollama.arguments'), 'utf8')).toBe('serve\n')
    expect((await call('POST', 'programs/ollama/start')).status).toBe(409)
    expect((await call('POST', 'programs/ollama/stop')).body).toMatchObject({ state: 'stopped' })
    expect(isAlive(readPid())).toBe(false)
    expect((await ollama())?.problem).toBeNull()
  })

  it('that does not come up says why, and nothing is left of it', async () => {
    writeProgram(folder, 'ollama')
    const { call, ollama } = await open({ OLLAMA_FAIL: 'the key folder cannot be written' })
    expect(await call('POST', 'programs/ollama/start')).toMatchObject({
      status: 502,
      body: {
        detail: 'Ollama ended by itself. It said: Error: the key folder cannot be written',
      },
    })
    expect(await ollama()).toMatchObject({ state: 'stopped', is_ours: false })
    expect((await ollama())?.problem).toContain('the key folder cannot be written')
  })

  it('that ends by itself later says so, and can be started again', async () => {
    writeProgram(folder, 'ollama')
    const { call, ollama } = await open()
    await call('POST', 'programs/ollama/start')
    process.kill(readPid(), 'SIGKILL')
    await expect.poll(ollama).toMatchObject({ is_ours: false, state: 'stopped' })
    expect((await ollama())?.problem).toBe('Ollama ended by itself and said nothing.')
    expect((await call('POST', 'programs/ollama/start')).status).toBe(200)
  })

  it('that will not end is ended the hard way', { timeout: 30_000 }, async () => {
    writeProgram(folder, 'ollama')
    const { call } = await open({ OLLAMA_STUBBORN: '1' })
    await call('POST', 'programs/ollama/start')
    expect((await call('POST', 'programs/ollama/stop')).status).toBe(200)
    expect(isAlive(readPid())).toBe(false)
  })

  it('that only asks a program in the background is ended by its own command', async (context) => {
    writeProgram(folder, 'lms')
    const { gateway, call } = await open()
    const started = await call('POST', 'programs/lm-studio/start')
    // Another process on this computer may use that port.
    if (started.status === 409) context.skip()
    expect(started).toMatchObject({ status: 200, body: { is_ours: true, state: 'running' } })
    const pid = readPid('lms')
    await gateway.close()
    gateways.splice(0)
    expect(isAlive(pid)).toBe(false)
    expect(readFileSync(path.join(folder, 'lms.arguments'), 'utf8')).toContain('server stop\n')
  })

  it('is mended by the doctor with one press', async () => {
    writeProgram(folder, 'ollama')
    const { call } = await open()
    const input = {
      kind: 'runtime',
      name: 'Here',
      url: `http://127.0.0.1:${port}`,
      step: 'runtime',
    }
    expect((await call('POST', 'examine', input)).body).toMatchObject({
      code: 'not_running',
      mends: [{ kind: 'start', program: 'ollama', name: 'Ollama' }],
    })
    await call('POST', 'programs/ollama/start')
    expect((await call('POST', 'examine', input)).body).toMatchObject({ code: 'running' })
  })
})

describe('what the gateway leaves alone', () => {
  it('a program somebody else started is neither ended nor started again', async () => {
    const file = writeProgram(folder, 'ollama')
    const child = spawn(file, ['serve'], {
      env: { OLLAMA_HOST: `127.0.0.1:${port}` },
      stdio: 'ignore',
    })
    const { gateway, call, ollama } = await open()
    await expect.poll(ollama).toMatchObject({ state: 'running', is_ours: false })
    expect(await call('POST', 'programs/ollama/stop')).toMatchObject({
      status: 409,
      body: { detail: 'Ollama was not started here, so it is not ended here either.' },
    })
    expect((await call('POST', 'programs/ollama/start')).status).toBe(409)
    await gateway.close()
    gateways.splice(0)
    expect(isAlive(child.pid!)).toBe(true)
    child.kill('SIGKILL')
  })

  it('a file that cannot be run is not started', async () => {
    writeFileSync(path.join(folder, 'ollama'), 'no program')
    const { call, ollama } = await open()
    expect(await ollama()).toMatchObject({ can_start: false })
    expect(await call('POST', 'programs/ollama/start')).toMatchObject({
      status: 409,
      body: {
        detail: 'Ollama can only be started by hand. Open the Ollama app, or run: ollama serve',
      },
    })
  })

  it('nothing is started in sealed mode, where it could not be held back', async () => {
    writeProgram(folder, 'ollama')
    const { call, ollama } = await open({ SEALED_MODE: 'true' })
    expect(await ollama()).toMatchObject({ can_start: false })
    expect((await call('POST', 'programs/ollama/start')).body.detail).toMatch(/^Sealed mode is on/)
    expect(existsSync(path.join(folder, 'ollama.pid'))).toBe(false)
  })

  it('a program that is not installed is not there', async () => {
    const { call, ollama } = await open()
    expect(await ollama()).toBeUndefined()
    expect((await call('POST', 'programs/ollama/start')).status).toBe(404)
  })
})
