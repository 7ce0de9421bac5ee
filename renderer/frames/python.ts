// oxlint-disable-next-line import/default -- the bundler makes it
import PythonWorker from './python/worker.ts?worker&inline'
import type {
  FrameReport,
  FrameRequest,
  RuntimeParts,
  WorkerReport,
} from '../features/code/frame-protocol.ts'
import type { WorkerStart } from './python/worker.ts'

// This document has no origin of its own (sandbox) and no network (its policy). Code runs in
// workers of it, one for each chat.

/**
 * A worker that says more than this in a second is not a cell that prints: its words would only
 * keep the page busy.
 */
const MOST_REPORTS = 200

interface Session {
  readonly worker: Worker
  reports: number
  since: number
}

const sessions = new Map<string, Session>()
let runtime: Promise<Omit<WorkerStart, 'type'>> | null = null

const say = (report: FrameReport): void => window.parent.postMessage(report, '*')

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
  if (session.reports > MOST_REPORTS) {
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
  const session: Session = { worker, reports: 0, since: 0 }
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
    const { worker } = sessions.get(request.session) ?? open(request.session, compiled)
    worker.postMessage(request.request)
  }
}

window.addEventListener('message', (event: MessageEvent<FrameRequest>) => {
  if (event.source !== window.parent) return
  void handle(event.data).catch((thrown: unknown) =>
    say({ type: 'broken', message: String(thrown) }),
  )
})
say({ type: 'ready' })
