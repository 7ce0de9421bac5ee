import { isUtf8 } from 'node:buffer'
import { parseObjects } from '../lib/mend-json.ts'
import { completionFrames, createFrameGuard } from './compatible/guard-frames.ts'
import { parseObject } from './compatible/parse-frame.ts'
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

const parseLine = (line: Buffer): Record<string, unknown> | null => parseObject(line.toString('utf8'))

/** Answers end with `done: true` and reports of work with the status `success`; other streams say nothing of their end. */
function isLastLine({ done, status, error }: Record<string, unknown>, isAnswer: boolean): boolean {
  if (error !== undefined || done === true) return true
  return !isAnswer && (status === 'success' || (done === undefined && status === undefined))
}

/** Whole lines as SDKs read them, and whether one of them cannot be read; it and what follows are left out. */
function mendLines(bytes: Buffer): { readonly mended: Buffer; readonly isBroken: boolean } {
  const lines = bytes.toString('utf8').split('\n')
  const kept: string[] = []
  let isSame = isUtf8(bytes)
  for (const line of lines) {
    if (line.trim() === '' || parseObject(line)) {
      kept.push(line)
      continue
    }
    isSame = false
    const values = parseObjects(line)
    if (values === null) return { mended: Buffer.from(kept.map((each) => `${each}\n`).join('')), isBroken: true }
    kept.push(...values.map((value) => JSON.stringify(value)))
  }
  return { mended: isSame ? bytes : Buffer.from(kept.join('\n')), isBroken: false }
}

/** Lines of JSON, whole ones alone unless they are very long. The last one says whether the stream is whole. */
function createLineGuard(isAnswer: boolean): PassedGuard {
  let held: Buffer = NOTHING
  let last: Buffer = NOTHING
  let isInLongLine = false
  let isBroken = false
  function keepLast(bytes: Buffer): void {
    let to = bytes.length
    while (to > 0 && bytes[to - 1]! <= SPACE) to -= 1
    if (to > 0) last = bytes.subarray(bytes.lastIndexOf(LF, to - 1) + 1, to)
  }
  return {
    push(chunk) {
      if (isBroken) return NOTHING
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const end = bytes.lastIndexOf(LF) + 1
      if (bytes.length - end > MOST_HELD || (isInLongLine && end === 0)) {
        held = NOTHING
        isInLongLine = true
        return bytes
      }
      held = bytes.subarray(end)
      const begin = isInLongLine ? bytes.indexOf(LF) + 1 : 0
      isInLongLine = false
      const whole = mendLines(bytes.subarray(begin, end))
      isBroken = whole.isBroken
      const passed = begin === 0 ? whole.mended : Buffer.concat([bytes.subarray(0, begin), whole.mended])
      keepLast(passed)
      return passed
    },
    end() {
      if (isInLongLine) return END_OF_LINE
      if (isBroken || !parseLine(held)) return NOTHING
      last = held
      return Buffer.concat([held, END_OF_LINE])
    },
    isWhole() {
      const line = parseLine(last)
      return line !== null && !isBroken && isLastLine(line, isAnswer)
    },
    isBroken: () => isBroken,
  }
}

/** Events of chat completions; those of other calls say nothing of their end. */
function createEventGuard(): PassedGuard {
  let hasChoices = false
  let hasOthers = false
  const guard = createFrameGuard({
    ...completionFrames,
    judging() {
      const judge = completionFrames.judging()
      return (value) => {
        if (Array.isArray(value['choices'])) hasChoices = true
        else hasOthers = true
        return judge(value)
      }
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

/** The guard for replies of a type that streams have; null for all others, which pass as they come. `isAnswer`: its last line says so. */
export function createPassedGuard(type: string, { isAnswer = false } = {}): PassedGuard | null {
  if (/^application\/x-ndjson/i.test(type)) return createLineGuard(isAnswer)
  return /^text\/event-stream/i.test(type) ? new EitherGuard(type) : null
}
