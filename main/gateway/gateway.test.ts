import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { findNode, spawnGateway, spawnNode } from './gateway.ts'

const { fork } = vi.hoisted(() => ({ fork: vi.fn() }))
vi.mock('electron', () => ({ utilityProcess: { fork } }))

const options = {
  entry: '/app/server.js',
  environment: { DESKTOP_CHANNEL: '1' },
  onOutput: () => undefined,
}

test('the packaged app starts the server as a utility process with nothing in its arguments', () => {
  const child = Object.assign(new EventEmitter(), {
    postMessage: vi.fn(),
    pid: 1,
    stdout: null,
    stderr: null,
  })
  fork.mockReturnValue(child)
  const gateway = spawnGateway({ isPackaged: true, folder: '/app' }, options)
  expect(fork).toHaveBeenCalledExactlyOnceWith(
    '/app/server.js',
    [],
    expect.objectContaining({
      env: {
        DESKTOP_CHANNEL: '1',
        MALLOC_TRIM_THRESHOLD_: '131072',
        MALLOC_ARENA_MAX: '2',
        NODE_USE_SYSTEM_CA: '1',
      },
    }),
  )
  const messages: unknown[] = []
  const exits: (number | null)[] = []
  gateway.onMessage((message) => messages.push(message))
  gateway.onExit((code) => exits.push(code))
  gateway.send({ type: 'stop' })
  child.emit('message', { type: 'ready' })
  child.emit('exit', 5)
  expect(child.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'stop' })
  expect({ messages, exits }).toEqual({ messages: [{ type: 'ready' }], exits: [5] })
})

test('the Node that comes with the project is preferred to the one on the path', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'find-node-'))
  expect(findNode(folder)).toBe('node')
  const local = path.join(
    folder,
    'node_modules/.bin',
    process.platform === 'win32' ? 'node.cmd' : 'node',
  )
  mkdirSync(path.dirname(local), { recursive: true })
  writeFileSync(local, '')
  expect(findNode(folder)).toBe(local)
})

test('a plain Node gets the space for young objects that load needs', async () => {
  const entry = path.join(mkdtempSync(path.join(tmpdir(), 'node-flags-')), 'flags.cjs')
  writeFileSync(entry, 'process.stdout.write(JSON.stringify(process.execArgv))')
  const flags = await new Promise<unknown>((resolve) => {
    spawnNode(process.execPath, {
      entry,
      environment: {},
      onOutput: (text) => resolve(JSON.parse(text)),
    })
  })
  expect(flags).toEqual([expect.stringMatching(/^--max-semi-space-size=(16|32)$/)])
})
