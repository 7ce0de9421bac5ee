import { spawn } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import { LostSession, openMcpSession, type McpAddress, type McpSession } from './session.ts'

const require = createRequire(import.meta.url)
const programOf = (name: string): string =>
  path.join(
    path.dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)),
    'dist/index.js',
  )

const stdio = (
  program: string,
  folder: string,
  given: readonly string[] = [],
  environment: Record<string, string> = {},
): McpAddress => ({
  kind: 'stdio',
  command: process.execPath,
  arguments: [program, ...given],
  environment,
  folder,
})

const signal = new AbortController().signal
let folder: string
const opened: McpSession[] = []

async function open(address: McpAddress, onLog?: (line: string) => void): Promise<McpSession> {
  const session = await openMcpSession(address, { signal, ...(onLog && { onLog }) })
  opened.push(session)
  return session
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-')))
})

afterAll(async () => {
  await Promise.all(opened.map((session) => session.close()))
  await rm(folder, { recursive: true, force: true })
})

describe('over the standard streams', () => {
  test('the tools of a server are listed and called', async () => {
    const session = await open(stdio(programOf('server-everything'), folder))
    const tools = await session.tools(signal)
    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(tools.find(({ name }) => name === 'echo')?.parameters).toMatchObject({
      type: 'object',
      required: ['message'],
    })
    expect((await session.call('echo', { message: 'hello' }, { signal })).text).toContain('hello')
  })

  test('a session that was closed meanwhile is lost, and not one without tools', async () => {
    const session = await open(stdio(programOf('server-everything'), folder))
    await session.close()
    await expect(session.tools(signal)).rejects.toThrow(LostSession)
  })

  test('a picture is a file, and the model is told so', async () => {
    const session = await open(stdio(programOf('server-everything'), folder))
    const output = await session.call('get-tiny-image', {}, { signal })
    expect(output.files).toMatchObject([{ type: 'image', mediaType: 'image/png' }])
    expect(output.text).toContain('picture')
  })

  test('progress of a long call is reported', async () => {
    const session = await open(stdio(programOf('server-everything'), folder))
    const steps: number[] = []
    await session.call(
      'trigger-long-running-operation',
      { duration: 0.3, steps: 3 },
      { signal, onProgress: ({ done }) => steps.push(done) },
    )
    expect(steps.slice(0, 2)).toEqual([1, 2])
  })

  test('wrong arguments are told to the model', async () => {
    const session = await open(stdio(programOf('server-everything'), folder))
    expect(await session.call('get-sum', { a: 'many' }, { signal })).toMatchObject({
      isError: true,
    })
    expect(await session.call('no-such-tool', {}, { signal })).toMatchObject({ isError: true })
  })

  test('a call that is cancelled ends at once', async () => {
    const session = await open(stdio(programOf('server-everything'), folder))
    const controller = new AbortController()
    const call = session.call(
      'trigger-long-running-operation',
      { duration: 30, steps: 10 },
      { signal: controller.signal },
    )
    setTimeout(() => controller.abort(new Error('stopped')), 50)
    await expect(call).rejects.toThrow(/stopped|abort/i)
    expect(session.isOpen).toBe(true)
  })

  test('files of an allowed folder are read', async () => {
    await writeFile(path.join(folder, 'note.txt'), 'buy rye flour')
    const session = await open(stdio(programOf('server-filesystem'), folder, [folder]))
    const read = await session.call(
      'read_text_file',
      { path: path.join(folder, 'note.txt') },
      { signal },
    )
    expect(read.text).toContain('buy rye flour')
    expect(await session.call('read_text_file', { path: '/etc/passwd' }, { signal })).toMatchObject(
      { isError: true },
    )
  })

  test('what was remembered is found again', async () => {
    const memory = { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }
    const session = await open(stdio(programOf('server-memory'), folder, [], memory))
    await session.call(
      'create_entities',
      { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes rye'] }] },
      { signal },
    )
    expect((await session.call('search_nodes', { query: 'rye' }, { signal })).text).toContain('Ada')
  })

  test('a program that ends at once says why it did', async () => {
    const lines: string[] = []
    const program = path.join(folder, 'broken.mjs')
    await writeFile(program, 'console.error("no token was given"); process.exit(3)')
    await expect(open(stdio(program, folder), (line) => lines.push(line))).rejects.toMatchObject({
      status: 502,
    })
    expect(lines).toContain('no token was given')
  })

  test('a program is given no environment but its own', async () => {
    process.env['GATEWAY_SECRET_OF_TEST'] = 'secret'
    const session = await open(
      stdio(programOf('server-everything'), folder, [], { OWN_SETTING: 'yes' }),
    )
    const { text } = await session.call('get-env', {}, { signal })
    delete process.env['GATEWAY_SECRET_OF_TEST']
    expect(text).toContain('OWN_SETTING')
    expect(text).not.toContain('GATEWAY_SECRET_OF_TEST')
  })
})

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('over HTTP', () => {
  test('the same server is listed and called, with the headers of the connection', async () => {
    const port = await freePort()
    const server = spawn(process.execPath, [programOf('server-everything'), 'streamableHttp'], {
      env: { PORT: String(port) },
      stdio: 'ignore',
    })
    const outgoing = createOutgoingFetch({ kind: 'tool_server' })
    try {
      const url = `http://127.0.0.1:${port}/mcp`
      await expect
        .poll(
          () =>
            fetch(url).then(
              () => true,
              () => false,
            ),
          { timeout: 10_000 },
        )
        .toBe(true)
      const session = await open({
        kind: 'http',
        url,
        headers: { 'x-team': 'bakers' },
        fetch: outgoing.fetch,
      })
      expect((await session.tools(signal)).length).toBeGreaterThan(5)
      expect((await session.call('echo', { message: 'over http' }, { signal })).text).toContain(
        'over http',
      )
      await session.close()
    } finally {
      server.kill()
      await outgoing.close()
    }
  })

  test('a server that is not there is named as the reason', async () => {
    const outgoing = createOutgoingFetch({ kind: 'tool_server' })
    const url = `http://127.0.0.1:${await freePort()}/mcp`
    await expect(
      open({ kind: 'http', url, headers: {}, fetch: outgoing.fetch }),
    ).rejects.toMatchObject({
      status: 502,
      message: expect.stringMatching(/tool server/) as string,
    })
    await outgoing.close()
  })

  test.each([
    ['resets the connection', (socket: net.Socket) => socket.resetAndDestroy(), /reached \(\w+\)/],
    ['speaks something else', (socket: net.Socket) => socket.end('220 mail\r\n\r\n'), /HTTP/],
  ])('the reason is told if a server %s', async (_, misbehave, reason) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => misbehave(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as net.AddressInfo
    const outgoing = createOutgoingFetch({ kind: 'tool_server' })
    const url = `http://127.0.0.1:${port}/mcp`
    const opening = open({ kind: 'http', url, headers: {}, fetch: outgoing.fetch })
    await expect(opening).rejects.toThrow(reason)
    await outgoing.close()
    server.close()
  })
})
