import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { Purpose } from '../lib/outgoing/purpose.ts'
import type { Target, Traffic } from '../lib/outgoing/way-out.ts'
import { pluginPython } from '../testing/plugin-python.ts'
import { ProgramConnections } from './program-connections.ts'

const LAUNCHER = path.resolve('resources/plugin-host/src/plugin_host/fence.py')

interface Seen {
  readonly target: Target
  readonly purpose: Purpose
  read: () => Traffic
  ended: Traffic | null
}

const opened: { close(): unknown }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

function openConnections(isElsewhere: (host: string) => boolean = () => true) {
  const seen: Seen[] = []
  const connections = new ProgramConnections({
    isElsewhere,
    begun(target, purpose) {
      const entry: Seen = { target, purpose, read: () => ({ sent: 0, received: 0 }), ended: null }
      seen.push(entry)
      return {
        dialled: () => undefined,
        opened: ({ read }) => void (entry.read = read),
        ended: (traffic) => void (entry.ended = traffic),
      }
    },
  })
  opened.push(connections)
  return { connections, seen }
}

/** A server that answers five bytes with five thousand, and closes when the other side does. */
async function startServer(): Promise<number> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(Buffer.alloc(5000)))
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(server)
  return (server.address() as AddressInfo).port
}

function start(connections: ProgramConnections, code: string, fence?: object) {
  const python = pluginPython!
  const watch = connections.watch(python, {
    kind: 'plugin_programs',
    purpose: () => ({ kind: 'plugin', name: 'roaming' }),
  })
  const description = JSON.stringify({ watch, fence, descriptors: [] })
  const words = ['-I', '-S', '-B', LAUNCHER, description, python, '-c', code]
  const child = spawn(python, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  opened.push({ close: () => child.kill('SIGKILL') })
  return child
}

const ended = async (child: ReturnType<typeof start>) =>
  (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]

describe.skipIf(pluginPython === null || process.platform !== 'linux')(
  'the connections of a program',
  () => {
    test.each([
      ['without a fence', undefined],
      ['inside a fence', { closed: ['/root'], readable: [], writable: [] }],
    ])('are listed with their bytes, those of its children too: %s', async (_, fence) => {
      const { connections, seen } = openConnections()
      const port = await startServer()
      const call = `import socket
s = socket.create_connection(("127.0.0.1", ${port}))
s.sendall(b"hello")
left = 5000
while left: left -= len(s.recv(left))
`
      const code = `${call}
import subprocess, sys
child = subprocess.run([sys.executable, "-c", ${JSON.stringify(`${call}\ninput()`)}], stdin=0)
sys.exit(7)`
      const child = start(connections, code, fence)
      await expect
        .poll(() => seen[1]?.read(), { timeout: 10_000 })
        .toEqual({
          sent: 5,
          received: 5000,
        })
      expect(seen[0]!.ended).toBe(null)
      child.stdin.end('\n')
      expect(await ended(child)).toEqual([7, null])
      await expect
        .poll(() => seen.map((each) => each.ended))
        .toEqual([
          { sent: 5, received: 5000 },
          { sent: 5, received: 5000 },
        ])
      expect(seen.map(({ target }) => target)).toEqual([
        { host: '127.0.0.1', port },
        { host: '127.0.0.1', port },
      ])
      expect(seen[0]!.purpose).toEqual({ kind: 'plugin', name: 'roaming' })
      expect(connections.unwatched).toEqual([])
    })

    test('are listed however short they are, and when they fail', async () => {
      const { connections, seen } = openConnections()
      const port = await startServer()
      const code = `import socket
for _ in range(50): socket.create_connection(("127.0.0.1", ${port})).close()
for place in (("127.0.0.1", 1), ("192.0.2.7", 81)):
    s = socket.socket()
    s.settimeout(0.2)
    s.connect_ex(place)
    s.close()
s = socket.socket(socket.AF_INET6)
s.setblocking(False)
s.connect_ex(("2001:db8::7", 82))`
      expect(await ended(start(connections, code))).toEqual([0, null])
      await expect.poll(() => seen.filter((each) => each.ended !== null).length).toBe(53)
      expect(seen.filter(({ target }) => target.port === port)).toHaveLength(50)
      expect(seen.slice(50).map(({ target }) => target)).toEqual([
        { host: '127.0.0.1', port: 1 },
        { host: '192.0.2.7', port: 81 },
        { host: '2001:db8::7', port: 82 },
      ])
    })

    test('are datagrams with an address and questions for names, but not the sorting of addresses', async () => {
      const { connections, seen } = openConnections()
      const code = `import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(3): s.sendto(b"x", ("127.0.0.1", 9))
for port in (53, 443):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.connect(("127.0.0.1", port))`
      expect(await ended(start(connections, code))).toEqual([0, null])
      await expect.poll(() => seen.map(({ target }) => target.port)).toEqual([9, 53])
      await sleep(50)
      expect(seen).toHaveLength(2)
    })

    test('to this computer are not reported', async () => {
      const { connections, seen } = openConnections((host) => !host.startsWith('127.'))
      const port = await startServer()
      const code = `import socket
socket.create_connection(("127.0.0.1", ${port})).close()
s = socket.socket()
s.setblocking(False)
s.connect_ex(("192.0.2.7", 81))`
      expect(await ended(start(connections, code))).toEqual([0, null])
      await expect.poll(() => seen.map(({ target }) => target.host)).toEqual(['192.0.2.7'])
    })

    test('end with the program, which ends as if it were not watched', async () => {
      const { connections, seen } = openConnections()
      const port = await startServer()
      const code = `import socket
s = socket.create_connection(("127.0.0.1", ${port}))
s.sendall(b"hello")
print("open", flush=True)
input()`
      const one = start(connections, code)
      await once(one.stdout, 'data')
      one.kill('SIGTERM')
      expect(await ended(one)).toEqual([null, 'SIGTERM'])
      await expect.poll(() => seen[0]?.ended).not.toBe(null)
      const two = start(connections, code)
      await once(two.stdout, 'data')
      const closed = once(two, 'close')
      two.kill('SIGKILL')
      expect(await ended(two)).toEqual([null, 'SIGKILL'])
      // The pipes close when the program itself has ended.
      await closed
      await expect.poll(() => seen[1]?.ended).not.toBe(null)
    })

    test('do not matter to a program whose gateway cannot be told', async () => {
      const { connections, seen } = openConnections()
      const port = await startServer()
      const code = `import socket, sys
socket.create_connection(("127.0.0.1", ${port})).close()
sys.exit(7)`
      const child = start(connections, code)
      connections.close()
      expect(await ended(child)).toEqual([7, null])
      expect(seen).toEqual([])
    })

    test('are named as not listed when the system cannot report them', async () => {
      const { connections, seen } = openConnections()
      const purpose = () => ({ kind: 'tool_server' }) as const
      const watch = connections.watch(pluginPython!, { kind: 'tool_programs', purpose })!
      const tell = async (...lines: readonly object[]) => {
        const socket = connect(watch.socket)
        socket.on('error', () => undefined)
        socket.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        await once(socket, 'close')
      }
      // A key that was given to no program.
      await tell({ key: 'guessed' }, { id: 1, address: '192.0.2.7', port: 81 })
      expect(connections.unwatched).toEqual([])
      await tell({ key: watch.key }, { is_watched: false })
      await expect.poll(() => connections.unwatched).toEqual(['tool_programs'])
      // Each key counts once.
      await tell({ key: watch.key }, { id: 1, address: '192.0.2.7', port: 81 })
      expect(seen).toEqual([])
    })

    test('of a program that needs rights of another account are named as not listed', () => {
      const { connections } = openConnections()
      const purpose = () => ({ kind: 'tool_server' }) as const
      const program = { kind: 'tool_programs', purpose } as const
      expect(connections.watch('/bin/su', program)).toBe(null)
      expect(connections.unwatched).toEqual(['tool_programs'])
    })
  },
)
