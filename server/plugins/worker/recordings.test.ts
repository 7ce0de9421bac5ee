import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { isRecord } from '../../lib/is-record.ts'
import { createLogger } from '../../lib/logger.ts'
import { runAtOnce } from '../../lib/turns.ts'
import type { PluginKey } from '../host-request.ts'
import { labelOf } from '../records.ts'
import { PluginFailure } from './faults.ts'
import { encodeFrame, FrameCutter, type Message } from './frames.ts'
import type { MessageBounds } from './message-bounds.ts'
import { parseFrame } from './parse-frame.ts'
import type { WorkerProcess } from './start-process.ts'
import { Worker, type CallListeners, type ChunkSession } from './worker.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../resources/plugin-host/tests/recordings')
/** No frame and no part of one has a multiple of this length. */
const PIECE_BYTES = 13
const BOUNDS: MessageBounds = {
  json: { values: 500_000, valuesSetting: 'JSON_BODY_MAX_VALUES', depth: 200 },
  eventMebibytes: 4,
}

interface Line {
  readonly from: 'gateway' | 'worker'
  readonly message: Message
}

/** Bytes are written as `{"$base64": text}` in recordings. */
function revive(_: string, value: unknown): unknown {
  return isRecord(value) && typeof value['$base64'] === 'string'
    ? Buffer.from(value['$base64'], 'base64')
    : value
}

const readRecording = (name: string): Line[] =>
  readFileSync(path.join(FOLDER, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, revive) as Line)

/** A process that sends what was recorded, and stores what it receives. */
function createRecordedProcess() {
  const sent: Message[] = []
  const output = new PassThrough()
  const cutter = new FrameCutter()
  const input = new Writable({
    write(bytes: Buffer, _encoding, done) {
      for (const frame of cutter.take(bytes))
        sent.push(runAtOnce(parseFrame(frame, BOUNDS.json)).message as Message)
      done()
    },
  })
  const process: WorkerProcess = {
    pid: undefined,
    input,
    output,
    onPrinted: () => undefined,
    onExit: () => undefined,
    kill: () => output.end(),
  }
  /** Splits frames at arbitrary places, as pipes do. */
  function say(message: Message): void {
    const bytes = encodeFrame(message)
    for (let place = 0; place < bytes.length; place += PIECE_BYTES)
      output.write(bytes.subarray(place, place + PIECE_BYTES))
  }
  return { process, sent, say }
}

/** Result of one recorded call on the gateway's side. */
interface Heard {
  readonly events: unknown[]
  readonly items: unknown[]
  readonly lines: string[]
  readonly asked: unknown[]
  outcome?: unknown
}

interface Stage {
  readonly worker: Worker
  readonly heard: Map<unknown, Heard>
  readonly sessions: Map<unknown, ChunkSession>
  readonly chunks: unknown[]
  readonly aborts: Map<unknown, AbortController>
  /** Replies of the gateway in the recording. */
  readonly answers: unknown[]
}

function listenFor({ answers }: Stage, own: Heard): CallListeners {
  return {
    onEvent: (event) => void own.events.push(event),
    onItems: (items) => void own.items.push(...items),
    onLog: ({ lines }) => void own.lines.push(...lines),
    onChunkFailed: ({ message }) => void own.lines.push(message),
    request(method, params) {
      own.asked.push({ method, params })
      return Promise.resolve(answers.shift())
    },
  }
}

/** Returns the plugin of a recorded call; the first one for a stream session. */
function labelOfCall(fields: Record<string, unknown>): string {
  const [first] = (fields['plugins'] as { plugin: PluginKey }[] | undefined) ?? [
    { plugin: fields['plugin'] as PluginKey | undefined },
  ]
  return first?.plugin ? labelOf(first.plugin) : 'inspect'
}

/** Repeats what the gateway did in the recording. */
function play(stage: Stage, { t, id, ...fields }: Message): void {
  const { worker, heard, sessions, aborts, chunks } = stage
  if (t === 'c' && fields['end'] === true) sessions.get(id)!.end()
  else if (t === 'c')
    for (const chunk of fields['e'] as unknown[])
      void sessions
        .get(id)!
        .send(chunk)
        .then((changed) => chunks.push(changed))
  else if (t === 'cancel') aborts.get(id)!.abort()
  if (t !== 'call') return
  const own: Heard = { events: [], items: [], lines: [], asked: [] }
  heard.set(id, own)
  const listeners = listenFor(stage, own)
  const plugin = labelOfCall(fields)
  if (fields['op'] === 'stream')
    return void sessions.set(id, worker.openChunks({ plugin, fields, listeners }))
  const abort = new AbortController()
  aborts.set(id, abort)
  worker.call({ plugin, fields, listeners, signal: abort.signal }).then(
    (result) => (own.outcome = result),
    (error: unknown) => (own.outcome = error),
  )
}

async function replay(lines: readonly Line[]) {
  const { process, sent, say } = createRecordedProcess()
  const gone: string[] = []
  const events = {
    onGone: (reason: string) => void gone.push(reason),
    onStuck: () => undefined,
    onState: () => undefined,
  }
  const worker = new Worker({
    id: 'recorded',
    process,
    ownProcesses: 0,
    mostProcesses: 0,
    mostThreads: 64,
    bounds: () => BOUNDS,
    events,
    log: createLogger('silent'),
  })
  const answers = lines
    .filter(({ message }) => message.t === 'answer')
    .map(({ message }) => message['value'])
  const stage: Stage = {
    worker,
    heard: new Map(),
    sessions: new Map(),
    chunks: [],
    aborts: new Map(),
    answers,
  }
  for (const { from, message } of lines) {
    if (from === 'worker') say(message)
    else play(stage, message)
    await nextTurn()
    await nextTurn()
  }
  return { ...stage, sent, gone }
}

const of = (lines: readonly Line[], from: Line['from'], t: string): Message[] =>
  lines.filter((line) => line.from === from && line.message.t === t).map(({ message }) => message)

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl')))(
  'The recorded conversation %s',
  (name) => {
    const lines = readRecording(name)

    test('is what the gateway says', async () => {
      const { sent } = await replay(lines)
      expect(sent[0]).toMatchObject({ t: 'hello', protocol: 1 })
      expect(sent.filter(({ t }) => t === 'call')).toMatchObject(of(lines, 'gateway', 'call'))
      expect(sent.filter(({ t }) => t === 'answer')).toMatchObject(of(lines, 'gateway', 'answer'))
      expect(sent.filter(({ t }) => t === 'cancel')).toEqual(of(lines, 'gateway', 'cancel'))
      const toChunks = (messages: readonly Message[]): unknown[] =>
        messages.filter(({ t }) => t === 'c').flatMap((message) => message['e'] ?? 'end')
      expect(toChunks(sent)).toEqual(toChunks(of(lines, 'gateway', 'c')))
      const taken = sent
        .filter(({ t }) => t === 'credit')
        .reduce((sum, message) => sum + Number(message['n']), 0)
      expect(taken).toBe(of(lines, 'worker', 'item').flatMap((message) => message['items']).length)
    })

    test('is what the gateway understands, however its bytes are cut', async () => {
      const { worker, heard, sessions, chunks, gone } = await replay(lines)
      expect(worker.state.status).toBe('ready')
      expect(gone).toEqual([])
      expect(worker.running()).toEqual([])
      const whole = of(lines, 'worker', 'result').filter(({ id }) => !sessions.has(id))
      for (const { id, value, changes = {} } of whole)
        expect(heard.get(id)!.outcome).toEqual({ value, changes })
      for (const { id, error } of of(lines, 'worker', 'failure')) {
        expect(heard.get(id)!.outcome).toBeInstanceOf(PluginFailure)
        expect((heard.get(id)!.outcome as PluginFailure).details).toMatchObject(error as object)
      }
      for (const [id, { events, items, asked }] of heard) {
        const byCall = (t: string, field: string): Message[] =>
          of(lines, 'worker', t).filter((message) => message[field] === id)
        expect(events).toEqual(byCall('event', 'call').map(({ data }) => data))
        expect(items).toEqual(byCall('item', 'id').flatMap((message) => message['items']))
        expect(asked).toEqual(
          byCall('request', 'call').map(({ method, params }) => ({ method, params })),
        )
      }
      expect(chunks).toEqual(of(lines, 'worker', 'c').flatMap((message) => message['e']))
      const said = [...heard.values()].flatMap((own) => own.lines)
      expect(said).toEqual(
        expect.arrayContaining(of(lines, 'worker', 'log').flatMap((message) => message['lines'])),
      )
      const failed = of(lines, 'worker', 'c').flatMap(
        (message) => (message['x'] as [number, string, { message: string }][] | undefined) ?? [],
      )
      expect(said).toEqual(expect.arrayContaining(failed.map(([, , { message }]) => message)))
    })
  },
)
