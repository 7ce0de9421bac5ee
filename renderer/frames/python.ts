// oxlint-disable-next-line import/default -- the bundler makes it
import PythonWorker from './python/worker.ts?worker&inline'
import type {
  CellLimits,
  FrameReport,
  FrameRequest,
  RuntimeParts,
  WorkerReport,
} from '../../server/contract/python-frame.ts'
import { measureReport } from './python/measure-report.ts'
import type { WorkerStart } from './python/worker.ts'

// This document has no origin (sandbox) and no network (its policy). Code runs in its workers, one
// for each chat. It is in a frame of the interface, which sends it messages; or the desktop app
// loads it in a hidden window, with a message port to the gateway.

/**
 * Maximum number of messages of a worker per second; more would only keep the page busy. Output of
 * cells is sent in larger pieces.
 */
const MOST_REPORTS = 200
/** Maximum size of values, tables and pictures, in addition to files and output. */
const OTHER_BYTES = 16 * 1024 * 1024

interface Session {
  readonly worker: Worker
  /** Bytes its run may still send. */
  room: number
  reports: number
  since: number
}

const sessions = new Map<string, Session>()
let runtime: Promise<Omit<WorkerStart, 'type'>> | null = null

let line: MessagePort | null = null

function say(report: FrameReport): void {
  if (line) line.postMessage(report)
  else window.parent.postMessage(report, '*')
}

function end(name: string): void {
  sessions.get(name)?.worker.terminate()
  sessions.delete(name)
}

function relay(name: string, report: WorkerReport): void {
  const session = sessions.get(name)
  if (!session) return
  const now = performance.now()
  if (now - session.since > 1000) Object.assign(session, { since: now, reports: 0 })
  session.reports += 1
  // Only the gateway needs this limit: in a page, a run affects only its own tab.
  if (line) session.room -= measureReport(report)
  if (session.reports > MOST_REPORTS || session.room < 0) {
    end(name)
    say({
      type: 'from',
      session: name,
      report: { type: 'ended', reason: 'failed', message: 'The code said too much at once.' },
    })
  } else say({ type: 'from', session: name, report })
}

function open(name: string, runtime: Omit<WorkerStart, 'type'>): Session {
  const worker = new PythonWorker()
  const session: Session = { worker, room: OTHER_BYTES, reports: 0, since: 0 }
  sessions.set(name, session)
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReport>) => relay(name, data))
  worker.addEventListener('error', ({ message }) => {
    relay(name, { type: 'ended', reason: /memory/i.test(message) ? 'memory' : 'failed', message })
    end(name)
  })
  worker.postMessage({ type: 'start', ...runtime } satisfies WorkerStart)
  return session
}

async function compile({ wasm, ...parts }: RuntimeParts): Promise<Omit<WorkerStart, 'type'>> {
  return { parts, module: await WebAssembly.compile(wasm) }
}

async function handle(request: FrameRequest): Promise<void> {
  if (request.type === 'runtime') {
    runtime ??= compile(request.parts)
    await runtime
    say({ type: 'compiled' })
  } else if (request.type === 'end') end(request.session)
  else if (runtime) {
    const compiled = await runtime
    const session = sessions.get(request.session) ?? open(request.session, compiled)
    if (request.request.type === 'run') session.room = roomOf(request.request.limits)
    session.worker.postMessage(request.request)
  }
}

/** Output is sent while it is written, and again with the result. */
const roomOf = ({ output, file }: CellLimits): number => 4 * output + file + OTHER_BYTES

const receive = ({ data }: MessageEvent<FrameRequest>): void =>
  void handle(data).catch((thrown: unknown) => say({ type: 'broken', message: String(thrown) }))

function takeLine({ source, ports: [port] }: MessageEvent): void {
  if (line || source !== window || !port) return
  line = port
  port.addEventListener('message', receive)
  port.start()
  say({ type: 'ready' })
}

if (window.parent === window) window.addEventListener('message', takeLine)
else {
  window.addEventListener('message', (event: MessageEvent<FrameRequest>) => {
    if (event.source === window.parent) receive(event)
  })
  say({ type: 'ready' })
}
