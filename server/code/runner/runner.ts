import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkerProcess } from '../../plugins/index.ts'
import type { RunnerFile, RunnerJob } from './protocol.ts'
import { hearReports } from './hear-reports.ts'
import type { CellResult, ReadReport } from './read-report.ts'

const MEBIBYTE = 1024 * 1024
const LOAD_MILLISECONDS = 60_000
/** Time limit for reading reports that a process wrote before it ended. */
const LAST_WORDS_MILLISECONDS = 2000
const LOOK_MILLISECONDS = 250
/** Memory of a process besides that of Python: Node, its heap, compiled code. */
export const OVERHEAD_BYTES = 640 * MEBIBYTE
const PAGE_BYTES = 4096
/**
 * Maximum number of pieces, besides one per `LEAST_PIECE_BYTES` of the file limit; a process that
 * sends more is forging them.
 */
const MOST_PIECES = 200
const LEAST_PIECE_BYTES = 64 * 1024
export const UNREADABLE = 'The code made its process send what cannot be read.'

export interface Cell {
  readonly id: string
  readonly code: string
  readonly outputLimit: number
  readonly fileLimit: number
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  readonly timeoutMs: number
}

/** Result of a cell: the message of the process, or the reason why it ended. */
export type CellOutcome =
  | {
      readonly kind: 'result'
      readonly result: CellResult
      readonly files: ReadonlyMap<string, Buffer>
    }
  | { readonly kind: 'timeout' | 'stopped' | 'memory' }
  | { readonly kind: 'failed'; readonly reason: string }

interface OpenCell {
  readonly cell: Cell
  readonly pieces: Map<string, Buffer[]>
  count: number
  bytes: number
  readonly settle: (outcome: CellOutcome) => void
}

/**
 * A process that runs one cell after the other. It is ended with the first one that does not finish
 * by itself.
 */
export class Runner {
  readonly pid: number | undefined
  state: 'loading' | 'idle' | 'running' | 'gone' = 'loading'
  lastUsed = performance.now()
  runId: string | null = null
  readonly ready: Promise<void>
  readonly gone: Promise<void>
  readonly #process: WorkerProcess
  readonly #memory: number
  #open: OpenCell | null = null
  #end: CellOutcome | null = null
  #isEnded = false
  #becomeReady: () => void = () => undefined

  constructor(started: WorkerProcess, memory: number) {
    this.#process = started
    this.#memory = memory
    this.pid = started.pid
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => undefined)
    this.ready = promise
    this.#becomeReady = resolve
    let complaint = ''
    started.onPrinted((text) => void (complaint = (complaint + text).slice(0, 2000)))
    const heard = this.#listen()
    const loading = setTimeout(
      () => this.#kill({ kind: 'failed', reason: 'The Python runtime did not load in time.' }),
      LOAD_MILLISECONDS,
    )
    void promise.finally(() => clearTimeout(loading)).catch(() => undefined)
    const watch = setInterval(() => this.#checkMemory(), LOOK_MILLISECONDS).unref()
    const gone = Promise.withResolvers<void>()
    this.gone = gone.promise
    started.onExit((reason) => {
      clearInterval(watch)
      void this.#awaitLastWords(heard).then(() => {
        // Once code has run, it can influence the error output of the process.
        const words =
          complaint === '' || this.state !== 'loading' ? reason : `${reason}: ${complaint}`
        this.state = 'gone'
        reject(new Error(words))
        this.#settle(
          this.#end ?? { kind: 'failed', reason: `The process of the code is gone: ${words}` },
        )
        gone.resolve()
      })
    })
  }

  /** Runs a cell; one at a time. The process keeps running only after a `result`. */
  async run(cell: Cell, signal: AbortSignal): Promise<CellOutcome> {
    this.runId = cell.id
    this.lastUsed = performance.now()
    const stop = (): void => this.#kill({ kind: 'stopped' })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    let timer: NodeJS.Timeout | undefined
    try {
      const outcome = new Promise<CellOutcome>(
        (settle) => void (this.#open = { cell, pieces: new Map(), count: 0, bytes: 0, settle }),
      )
      if (this.state === 'gone')
        this.#settle(this.#end ?? { kind: 'failed', reason: 'The process of the code is gone.' })
      // The end of the process settles the outcome, whether or not it was ever ready.
      await this.ready.catch(() => undefined)
      if (this.#isOpen()) {
        this.state = 'running'
        timer = setTimeout(() => this.#kill({ kind: 'timeout' }), cell.timeoutMs)
        this.#send(cell)
      }
      return await outcome
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.runId = null
      this.lastUsed = performance.now()
    }
  }

  /** Kills the process, whatever it is doing. */
  async close(): Promise<void> {
    this.#kill({ kind: 'stopped' })
    await this.gone
  }

  #isOpen(): boolean {
    return this.#open !== null && this.#end === null && this.state !== 'gone'
  }

  #send({ id, code, outputLimit, fileLimit, files }: Cell): void {
    for (const { name, bytes } of files)
      this.#write({ type: 'file', name, data: bytes.toString('base64') })
    this.#write({ type: 'job', id, code, outputLimit, fileLimit })
  }

  #write(message: RunnerFile | RunnerJob): void {
    this.#process.input.write(`${JSON.stringify(message)}\n`)
  }

  /**
   * Waits until everything a process wrote before it ended by itself has been read, or the time
   * limit is over.
   */
  async #awaitLastWords(heard: Promise<void>): Promise<void> {
    this.#isEnded = true
    if (!this.#end)
      await Promise.race([heard, sleep(LAST_WORDS_MILLISECONDS, undefined, { ref: false })])
  }

  async #listen(): Promise<void> {
    const tooMuch = 'The code made its process send too much at once.'
    try {
      await hearReports(this.#process.output, {
        hear: (report) => this.#hear(report),
        refuse: () => this.#kill({ kind: 'failed', reason: tooMuch }),
        isBelieved: () => this.#end === null,
      })
    } catch {
      // The pipe broke; the exit of the process reports this.
    }
  }

  #hear(report: ReadReport | null): void {
    const open = this.#open
    if (report?.type === 'ready' && this.state === 'loading') {
      this.state = 'idle'
      return this.#becomeReady()
    }
    // A process may only send reports about its current cell.
    if (report === null || report.type === 'ready' || !open || report.id !== open.cell.id)
      return this.#kill({ kind: 'failed', reason: UNREADABLE })
    if (report.type === 'memory') return this.#kill({ kind: 'memory' })
    if (report.type === 'failed') return this.#kill({ kind: 'failed', reason: report.reason })
    if (report.type === 'piece')
      return this.#keepPiece(open, report.name, Buffer.from(report.data, 'base64'))
    const files = new Map<string, Buffer>()
    for (const { name, isTaken } of report.result.files)
      if (isTaken) files.set(name, Buffer.concat(open.pieces.get(name) ?? []))
    this.state = 'idle'
    this.#settle({ kind: 'result', result: report.result, files })
  }

  #keepPiece(open: OpenCell, name: string, bytes: Buffer): void {
    open.bytes += bytes.length
    open.count += 1
    const mostPieces = MOST_PIECES + open.cell.fileLimit / LEAST_PIECE_BYTES
    if (open.bytes > open.cell.fileLimit || open.count > mostPieces)
      return this.#kill({ kind: 'failed', reason: 'The code gave back more files than it may.' })
    const pieces = open.pieces.get(name)
    if (pieces) pieces.push(bytes)
    else open.pieces.set(name, [bytes])
  }

  /** Python's own limit usually suffices; this catches code that circumvents it. */
  #checkMemory(): void {
    if (this.pid === undefined || process.platform !== 'linux') return
    try {
      const resident =
        Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
      if (resident > this.#memory + OVERHEAD_BYTES) this.#kill({ kind: 'memory' })
    } catch {
      // It has ended, as reported by its exit.
    }
  }

  #kill(outcome: CellOutcome): void {
    if (this.state === 'gone' || this.#end) return
    // Reports written before the process ended are still read, and may be forged.
    if (this.#isEnded) return void (this.#end = outcome)
    this.#end = outcome
    this.#process.kill()
  }

  #settle(outcome: CellOutcome): void {
    this.#open?.settle(outcome)
    this.#open = null
  }
}
