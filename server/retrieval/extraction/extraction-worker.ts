// Entry of the worker: reads one document at a time and sends its text in parts.
import { appPort, type LinePort } from '../../lib/app-port.ts'
import type { ExtractionJob, WorkerReport } from './protocol.ts'
import { readDocument } from './read-document.ts'
import type { Reading } from './reader.ts'
import { Refusal } from './refusal.ts'
import { TextSink } from './text-sink.ts'
import { watchMemory } from './watch-memory.ts'

const MOST_CHARACTERS = 260_000_000
const PROGRESS_INTERVAL = 100
const SPENT_BYTES = 200 * 1024 * 1024
const DAMAGED =
  'The file is damaged or was not written by the rules of its format, so it cannot be read.'

/** Connection to the gateway if the app started this process; null if the gateway did so itself. */
let line: LinePort | null = null

/** Settles when the report has been sent, so that a fast reader waits for a slow gateway. */
function send(report: WorkerReport): Promise<void> {
  if (line) {
    line.postMessage(report)
    return Promise.resolve()
  }
  return new Promise((resolve) => process.send!(report, undefined, {}, () => resolve()))
}

/** Limits progress reports to a rate that can be displayed. */
function createProgress(): (done: number, total: number | null) => void {
  let last = 0
  return (done, total) => {
    const now = Date.now()
    if (now - last < PROGRESS_INTERVAL) return
    last = now
    void send({ type: 'progress', done, total })
  }
}

async function read(job: ExtractionJob, sink: TextSink): Promise<Reading> {
  if (job.kind === 'file') return await readDocument(job, { sink, progress: createProgress() })
  const { readPage } = await import('./formats/page.ts')
  return await readPage(job, sink)
}

const isSpent = (): boolean => process.memoryUsage.rss() > SPENT_BYTES

function toReport(fault: unknown): WorkerReport {
  if (fault instanceof Refusal)
    return { type: 'refused', message: fault.message, isSpent: isSpent() }
  return {
    type: 'refused',
    message: DAMAGED,
    cause: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    isSpent: isSpent(),
  }
}

async function work(job: ExtractionJob): Promise<void> {
  const sink = new TextSink({
    send: (text) => send({ type: 'part', text }),
    maximumLength: MOST_CHARACTERS,
  })
  try {
    const { format, title = null, language = null, notices = [] } = await read(job, sink)
    await sink.finish()
    await send({
      type: 'done',
      document: { format, title, language, notices, pages: sink.pages },
      isSpent: isSpent(),
    })
  } catch (fault) {
    await send(toReport(fault))
  }
}

watchMemory()
if (appPort) {
  appPort.once('message', ({ ports: [port] }) => {
    line = port ?? null
    port?.on('message', ({ data }) => void work(data as ExtractionJob))
    port?.on('close', () => process.exit(0))
    port?.start()
  })
} else {
  process.on('message', (job: ExtractionJob) => void work(job))
  process.on('disconnect', () => process.exit(0))
}
