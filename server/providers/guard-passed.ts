import { isRecord } from '../lib/is-record.ts'
import { completionFrames, createFrameGuard } from './compatible/guard-frames.ts'
import { KindReader } from './reply-kind.ts'

/** Lets the bytes of a proxied stream pass and tells whether it was whole when it ended. */
export interface PassedGuard {
  push(chunk: Buffer): Buffer
  /** What may still pass of what was left: a last line that is whole. */
  end(): Buffer
  /** False when the other side ended in the middle of what it says its streams end with. */
  isWhole(): boolean
  /** Whether a part of an answer cannot be read; nothing behind it passes. */
  isBroken(): boolean
}

const LF = 10
const SPACE = 32
/** A longer line passes as it comes instead of filling the memory. */
const MOST_HELD = 512 * 1024
const NOTHING = Buffer.alloc(0)
const END_OF_LINE = Buffer.from('\n')

function parseLine(line: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Answers end with `done: true` and reports of work with the status `success`; other streams say nothing of their end. */
function isLastLine({ done, status, error }: Record<string, unknown>): boolean {
  if (error !== undefined || done === true || status === 'success') return true
  return done === undefined && status === undefined
}

/** Lines of JSON, whole ones alone unless they are very long. Only the last one says whether the stream is whole, so that none but it is parsed. */
function createLineGuard(): PassedGuard {
  let held: Buffer = NOTHING
  let last: Buffer = NOTHING
  let isInLongLine = false
  function keepLast(bytes: Buffer): void {
    let to = bytes.length
    while (to > 0 && bytes[to - 1]! <= SPACE) to -= 1
    if (to > 0) last = bytes.subarray(bytes.lastIndexOf(LF, to - 1) + 1, to)
  }
  return {
    push(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const end = bytes.lastIndexOf(LF) + 1
      if (bytes.length - end > MOST_HELD || (isInLongLine && end === 0)) {
        held = NOTHING
        isInLongLine = true
        return bytes
      }
      held = bytes.subarray(end)
      isInLongLine = false
      const passed = bytes.subarray(0, end)
      keepLast(passed)
      return passed
    },
    end() {
      if (isInLongLine) return END_OF_LINE
      if (!parseLine(held)) return NOTHING
      last = held
      return Buffer.concat([held, END_OF_LINE])
    },
    isWhole() {
      const line = parseLine(last)
      return line !== null && isLastLine(line)
    },
    isBroken: () => false,
  }
}

/** Events of chat completions; those of other calls say nothing of their end. */
function createEventGuard(): PassedGuard {
  let hasChoices = false
  let hasOthers = false
  const guard = createFrameGuard({
    ...completionFrames,
    judge(value) {
      if (Array.isArray(value['choices'])) hasChoices = true
      else hasOthers = true
      return completionFrames.judge(value)
    },
  })
  return {
    push: (chunk) => guard.push(chunk),
    end: () => guard.end(),
    isWhole: () => guard.isComplete() || guard.hasFailed() || (hasOthers && !hasChoices && !guard.isBroken()),
    isBroken: () => guard.isBroken(),
  }
}

/** What comes under the type of a stream: events, or a document all the same. */
class EitherGuard implements PassedGuard {
  readonly #reader: KindReader
  readonly #events = createEventGuard()
  #taken: Buffer = NOTHING
  #document: Record<string, unknown> | null = null

  constructor(type: string) {
    this.#reader = new KindReader(type)
  }

  push(chunk: Buffer): Buffer {
    const events = this.#reader.push(chunk)
    return events === null ? NOTHING : this.#events.push(events)
  }

  end(): Buffer {
    if (this.#reader.kind === 'events') return this.#events.end()
    return this.#readDocument() === null ? NOTHING : this.#taken
  }

  isWhole(): boolean {
    return this.#reader.kind === 'events' ? this.#events.isWhole() : this.#readDocument() !== null
  }

  isBroken(): boolean {
    return this.#events.isBroken()
  }

  #readDocument(): Record<string, unknown> | null {
    if (this.#taken.length > 0) return this.#document
    this.#taken = this.#reader.take()
    return (this.#document = parseLine(this.#taken))
  }
}

/** The guard for replies of a type that streams have; null for all others, which pass as they come. */
export function createPassedGuard(type: string): PassedGuard | null {
  if (type.startsWith('application/x-ndjson')) return createLineGuard()
  return type.startsWith('text/event-stream') ? new EitherGuard(type) : null
}
