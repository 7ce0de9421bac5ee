import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Unseen } from '#contract/outgoing-connections.ts'
import { z } from '#contract/lazy-zod.ts'
import { newId } from '../lib/ids.ts'
import { inOwnContext } from '../lib/timing/in-own-context.ts'
import type { Purpose } from '../lib/outgoing/purpose.ts'
import type { ConnectionNotes, Target, Traffic } from '../lib/outgoing/way-out.ts'
import { parseOrNull } from '../lib/json/parse-or-null.ts'

/** Programs whose connections are listed under one heading. */
export type WatchedPrograms = Exclude<Unseen, 'windows'>

/** Socket to which the launcher of a program reports its connections (plugin-host, `connection_watch`). */
export interface ProgramWatch {
  readonly socket: string
  readonly key: string
  /** True if connections to this computer are reported too. */
  readonly near: boolean
}

export interface WatchedProgram {
  readonly kind: WatchedPrograms
  /** Called for each connection. */
  readonly purpose: () => Purpose
}

export interface ProgramConnectionsOptions {
  readonly isElsewhere: (host: string) => boolean
  readonly begun: (target: Target, purpose: Purpose) => ConnectionNotes
}

const reportSchema = z.union([
  z.object({ key: z.string() }),
  z.object({ is_watched: z.literal(false) }),
  z.object({ id: z.int(), address: z.string().max(64), port: z.int() }),
  z.object({ id: z.int(), sent: z.int(), received: z.int() }),
  z.object({ id: z.int(), is_over: z.literal(true) }),
])
type Report = z.output<typeof reportSchema>

const LAUNCHER_OF_SNAPS = '/usr/bin/snap'
const SETUID = 0o4000

/** Returns true for a program that needs the rights of another account, which a watch takes. */
function gainsRights(command: string): boolean {
  try {
    const file = realpathSync(command)
    return file === LAUNCHER_OF_SNAPS || (statSync(file).mode & SETUID) !== 0
  } catch {
    return false
  }
}

const parseReport = (line: string): Report | null =>
  reportSchema.safeParse(parseOrNull(line)).data ?? null

/** The open connections of one program. */
class Reporter {
  readonly #open = new Map<number, { readonly notes: ConnectionNotes; traffic: Traffic }>()
  readonly #options: ProgramConnectionsOptions
  readonly #program: WatchedProgram

  constructor(options: ProgramConnectionsOptions, program: WatchedProgram) {
    this.#options = options
    this.#program = program
  }

  take(report: Report): void {
    if (!('id' in report)) return
    if ('address' in report) return this.#begin(report)
    const found = this.#open.get(report.id)
    if (!found) return
    if ('sent' in report) found.traffic = { sent: report.sent, received: report.received }
    else this.#end(report.id, found)
  }

  close(): void {
    for (const [id, found] of this.#open) this.#end(id, found)
  }

  #begin({ id, address, port }: Extract<Report, { address: string }>): void {
    const before = this.#open.get(id)
    if (before) this.#end(id, before)
    if (!this.#options.isElsewhere(address)) return
    const notes = this.#options.begun({ host: address, port }, this.#program.purpose())
    const connection = { notes, traffic: { sent: 0, received: 0 } }
    this.#open.set(id, connection)
    notes.dialled(address)
    // Sealed mode ends the whole program, so nothing is closed here.
    notes.opened({ read: () => connection.traffic, end: () => undefined })
  }

  #end(id: number, { notes, traffic }: { notes: ConnectionNotes; traffic: Traffic }): void {
    this.#open.delete(id)
    notes.ended(traffic, null)
  }
}

/**
 * Lists the connections of programs the gateway starts, as reported by their launchers. Only Linux
 * reports them, and only if the launcher is Python.
 */
export class ProgramConnections {
  readonly #options: ProgramConnectionsOptions
  readonly #expected = new Map<string, WatchedProgram>()
  readonly #unwatched = new Set<WatchedPrograms>(
    process.platform === 'linux' ? [] : ['plugin_programs', 'tool_programs'],
  )
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #folder: string | null = null

  constructor(options: ProgramConnectionsOptions) {
    this.#options = options
  }

  /** Kinds of programs of which one was started without a watch. */
  get unwatched(): readonly WatchedPrograms[] {
    return [...this.#unwatched]
  }

  /** Prepares the watch of a program that is about to be started; null if it cannot be watched. */
  watch(command: string, program: WatchedProgram): ProgramWatch | null {
    const socket = process.platform === 'linux' && !gainsRights(command) ? this.#listen() : null
    if (socket === null) {
      this.noteUnwatched(program.kind)
      return null
    }
    const key = newId()
    this.#expected.set(key, program)
    return { socket, key, near: this.#options.isElsewhere('127.0.0.1') }
  }

  noteUnwatched(kind: WatchedPrograms): void {
    this.#unwatched.add(kind)
  }

  close(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Listens in a folder only this account can enter; returns null if the system refuses. */
  #listen(): string | null {
    const name = (): string => path.join(this.#folder!, 'programs')
    if (this.#server) return name()
    try {
      this.#folder = mkdtempSync(path.join(tmpdir(), 'gateway-'))
      const server = inOwnContext(() => createServer((socket) => this.#accept(socket)))
      server.on('error', () => (this.#server = null))
      server.listen(name()).unref()
      this.#server = server
      return name()
    } catch {
      return null
    }
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.unref()
    let reporter: Reporter | null = null
    let kind: WatchedPrograms | null = null
    socket.on('error', () => undefined)
    const lines = createInterface({ input: socket })
    lines.on('line', (line) => {
      const report = parseReport(line)
      if (report === null) return socket.destroy()
      if ('key' in report) {
        const program = this.#expected.get(report.key)
        if (!program || reporter) return socket.destroy()
        this.#expected.delete(report.key)
        kind = program.kind
        reporter = new Reporter(this.#options, program)
      } else if ('is_watched' in report) {
        if (kind !== null) this.noteUnwatched(kind)
      } else reporter?.take(report)
    })
    socket.once('close', () => {
      this.#sockets.delete(socket)
      reporter?.close()
    })
  }
}
