import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { guardByNode } from './node-guard.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const each of started.splice(0)) each.kill('SIGKILL')
})

function start(command: string, words: readonly string[]): ChildProcess {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'pipe'], env: {} })
  started.push(child)
  return child
}

/** Prints its process id and ignores SIGTERM. */
const STAYS = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`
const stays = (): readonly [string, readonly string[]] =>
  guardByNode(process.execPath, ['-e', STAYS])

const readPid = async ({ stdout }: ChildProcess): Promise<number> => {
  const [text] = (await once(stdout!, 'data')) as [Buffer]
  return Number(text.toString())
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a program under the guard', () => {
  it('ends when the pipe to the gateway closes', async () => {
    const guard = start(...stays())
    const pid = await readPid(guard)
    expect(isAlive(pid)).toBe(true)
    guard.stdin!.end()
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  })

  it('ends when the gateway is killed, which closes nothing by itself', async () => {
    const [command, words] = stays()
    const holder = `
      const { spawn } = require('node:child_process')
      spawn(${JSON.stringify(command)}, ${JSON.stringify(words)}, { stdio: ['pipe', 'inherit', 'inherit'] })
    `
    const gateway = start(process.execPath, ['-e', holder])
    const pid = await readPid(gateway)
    expect(isAlive(pid)).toBe(true)
    gateway.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  })

  it('gets its words as they are, no input, and hands on what it prints and how it ends', async () => {
    const script = `
      process.stdin.on('end', () => { console.log(process.argv.slice(1).join('|')); process.exit(3) }).resume()
    `
    const guard = start(
      ...guardByNode(process.execPath, ['-e', script, '--', 'a b', '"c"', '--flag', '$HOME']),
    )
    const [text] = (await once(guard.stdout!, 'data')) as [Buffer]
    expect(text.toString().trim()).toBe('a b|"c"|--flag|$HOME')
    expect((await once(guard, 'exit'))[0]).toBe(3)
  })

  it('that is not there is said', async () => {
    const guard = start(...guardByNode('/no/such/program', []))
    const [text] = (await once(guard.stderr!, 'data')) as [Buffer]
    expect(text.toString()).toContain('ENOENT')
    expect((await once(guard, 'exit'))[0]).toBe(127)
  })
})
