import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  parseFrameReport,
  type CellValue,
  type FileBytes,
  type FrameRequest,
  type RuntimeParts,
  type WorkerReport,
  type WorkerRequest,
} from '#contract/python-frame.ts'
import type { AppListener, AppPort, LinePort } from '../../lib/app-port.ts'
import type { WorkerProcess } from '../../plugins/index.ts'
import type { RunnerFile, RunnerJob, RunnerReport } from './protocol.ts'
import { OVERHEAD_BYTES, UNREADABLE } from './runner.ts'

/** Sources of the code's runtime environment. */
export interface AppWindowParts {
  readonly runtimeFolder: string
  readonly packages: {
    installed(): string[]
    find(file: string): string | null
  }
}

/** A message from the app about a requested window. */
interface AppMessage {
  readonly type?: string
  readonly id?: string
  readonly end?: string
}

const SESSION = 'cells'
const PIECE_BYTES = 384 * 1024
const MOST_PACKAGES = 100
/** Limits of an empty cell, which loads the runtime in advance. */
const FIRST_LIMITS = { output: 1024, file: 0 }
const ENDS: Readonly<Record<string, string>> = {
  memory: 'it used too much memory',
  refused: 'the app made no window for it',
}

async function readRuntime(folder: string): Promise<RuntimeParts> {
  const read = (name: string): Promise<Buffer> => readFile(path.join(folder, name))
  const [script, wasm, library, packages] = await Promise.all([
    read('pyodide.asm.mjs'),
    read('pyodide.asm.wasm'),
    read('python_stdlib.zip'),
    read('pyodide-lock.json'),
  ])
  return {
    script: script.toString(),
    wasm: toArrayBuffer(wasm),
    library: toArrayBuffer(library),
    packages: packages.toString(),
  }
}

const toArrayBuffer = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer

/**
 * A hidden window of the desktop app that implements the protocol of a code process: it contains
 * the same document in which windows of users run code, and its messages are translated to those of
 * a process.
 */
class AppWindow implements WorkerProcess {
  /** The app monitors the memory of its windows itself. */
  readonly pid = undefined
  readonly input: Writable
  readonly output = new PassThrough()
  readonly #app: AppPort
  readonly #parts: AppWindowParts
  readonly #memory: number
  readonly #id = randomUUID()
  readonly #printed: ((text: string) => void)[] = []
  readonly #exits: ((reason: string) => void)[] = []
  #line: LinePort | null = null
  /** Files to be added with the next cell. */
  #files: FileBytes[] = []
  #job: RunnerJob | null = null
  #packages = 0
  /** Settles when the previous output is written, so that the end comes last. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(app: AppPort, parts: AppWindowParts, memory: number) {
    this.#app = app
    this.#parts = parts
    this.#memory = memory
    this.input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        for (const line of chunk.toString().split('\n')) if (line !== '') this.#order(line)
        done()
      },
    })
    app.on('message', this.#hearApp)
    app.postMessage({ type: 'code-window-start', id: this.#id, memory: memory + OVERHEAD_BYTES })
  }

  onPrinted(listener: (text: string) => void): void {
    this.#printed.push(listener)
  }

  onExit(listener: (reason: string) => void): void {
    this.#exits.push(listener)
  }

  kill(): void {
    this.#app.postMessage({ type: 'code-window-stop', id: this.#id })
  }

  readonly #hearApp: AppListener = ({ data, ports: [port] }) => {
    const message = data as AppMessage
    if (message.id !== this.#id) return
    if (message.type === 'code-window-line' && port) {
      this.#line = port
      port.on('message', (event) => this.#hear(event.data))
      port.start()
    }
    if (message.type === 'code-window-ended') this.#end(message.end ?? '')
  }

  #end(end: string): void {
    this.#app.off('message', this.#hearApp)
    this.#line?.close()
    if (end === 'memory' && this.#job) this.#say({ type: 'memory', id: this.#job.id })
    void this.#written.then(() => {
      this.output.once('end', () => {
        for (const tell of this.#exits) tell(ENDS[end] ?? 'its window was closed')
      })
      this.output.end()
    })
  }

  /** Handles a line of `Runner`, which writes complete ones. */
  #order(line: string): void {
    const order = JSON.parse(line) as RunnerFile | RunnerJob
    if (order.type === 'file')
      return void this.#files.push({
        name: order.name,
        bytes: new Uint8Array(toArrayBuffer(Buffer.from(order.data, 'base64'))),
      })
    this.#job = order
    this.#run(order.code, { output: order.outputLimit, file: order.fileLimit })
  }

  #run(code: string, limits: { output: number; file: number }): void {
    this.#packages = 0
    this.#post({
      type: 'run',
      code,
      files: this.#files,
      limits: { ...limits, memory: this.#memory },
      installed: this.#parts.packages.installed(),
    })
    this.#files = []
  }

  #post(request: WorkerRequest): void {
    this.#line?.postMessage({ type: 'to', session: SESSION, request } satisfies FrameRequest)
  }

  #hear(data: unknown): void {
    const report = parseFrameReport(data)
    if (report === null) this.#fail(UNREADABLE)
    else if (report.type === 'ready') void this.#load()
    else if (report.type === 'compiled') this.#run('', FIRST_LIMITS)
    else if (report.type === 'broken') this.#fail(report.message)
    else this.#hearWorker(report.report)
  }

  async #load(): Promise<void> {
    try {
      const parts = await readRuntime(this.#parts.runtimeFolder)
      this.#line?.postMessage({ type: 'runtime', parts } satisfies FrameRequest)
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : 'The runtime cannot be read.')
    }
  }

  #hearWorker(report: WorkerReport): void {
    if (report.type === 'need') void this.#provide(report.name)
    else if (report.type === 'ended') {
      if (report.reason === 'memory' && this.#job) this.#say({ type: 'memory', id: this.#job.id })
      else this.#fail(report.message)
    } else if (report.type === 'done') {
      if (this.#job) this.#give(this.#job.id, report.value)
      else this.#say({ type: 'ready' })
    }
  }

  async #provide(name: string): Promise<void> {
    this.#packages += 1
    if (this.#packages > MOST_PACKAGES) return this.#fail('The code asks for too many packages.')
    const place = this.#parts.packages.find(name)
    const bytes = place === null ? null : await readFile(place).catch(() => null)
    this.#post({ type: 'package', name, bytes: bytes && toArrayBuffer(bytes) })
  }

  #give(id: string, { files, tooLarge, ...value }: CellValue): void {
    for (const { name, bytes } of files) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const part = bytes.subarray(at, at + PIECE_BYTES)
        const data = Buffer.from(part.buffer, part.byteOffset, part.length).toString('base64')
        this.#say({ type: 'piece', id, name, data })
      }
    }
    const result = {
      ...value,
      status: value.error ? 'error' : 'ok',
      files: [
        ...files.map(({ name, bytes }) => ({ name, size: bytes.length, isTaken: true })),
        ...tooLarge.map((name) => ({ name, size: 0, isTaken: false })),
      ],
    }
    this.#say({ type: 'result', id, result })
  }

  /** Before a cell runs, a failure is reported by the end of the process. */
  #fail(reason: string): void {
    if (this.#job)
      return this.#say({ type: 'failed', id: this.#job.id, reason: reason.slice(0, 2000) })
    for (const tell of this.#printed) tell(reason)
    this.kill()
  }

  /** Writes one line per turn of the event loop, so that files of code do not block other work. */
  #say(report: RunnerReport): void {
    this.#written = this.#written.then(async () => {
      this.output.write(`${JSON.stringify(report)}\n`)
      await nextTurn()
    })
  }
}

/** Makes the app open a window that runs cells. */
export const startAppWindow = (
  app: AppPort,
  parts: AppWindowParts,
  memory: number,
): WorkerProcess => new AppWindow(app, parts, memory)
