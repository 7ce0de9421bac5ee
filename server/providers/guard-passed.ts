import { isUtf8 } from 'node:buffer'
import { GatheredBytes } from '../lib/gathered-bytes.ts'
import { LINE_LIMIT, LineTooLongError } from '../lib/lines.ts'
import { parseObjects } from '../lib/mend-json.ts'
import { runAtOnce } from '../lib/turns.ts'
import { completionFrames, createFrameGuard } from './compatible/guard-frames.ts'
import { isTooRich, parseObject } from './compatible/parse-frame.ts'
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
const NOTHING = Buffer.alloc(0)
const END_OF_LINE = Buffer.from('\n')

const parseLine = (line: Buffer): Record<string, unknown> | null =>
  parseObject(line.toString('utf8'))

/**
 * Answers end with `done: true` and reports of work with the status `success`; other streams say
 * nothing of their end.
 */
function isLastLine({ done, status, error }: Record<string, unknown>, isAnswer: boolean): boolean {
  if (error !== undefined || done === true) return true
  return !isAnswer && (status === 'success' || (done === undefined && status === undefined))
}

/**
 * Whole lines as SDKs read them, and whether one of them cannot be read; it and what follows are
 * left out.
 */
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
    const values = isTooRich(line) ? null : parseObjects(line)
    if (values === null)
      return { mended: Buffer.from(kept.map((each) => `${each}\n`).join('')), isBroken: true }
    kept.push(...values.map((value) => JSON.stringify(value)))
  }
  return { mended: isSame ? bytes : Buffer.from(kept.join('\n')), isBroken: false }
}

/** Lines of JSON, whole ones alone. The last one says whether the stream is whole. */
class LineGuard implements PassedGuard {
  readonly #isAnswer: boolean
  /** The beginning of a line. */
  #held = new GatheredBytes()
  #last: Buffer = NOTHING
  #isBroken = false

  constructor(isAnswer: boolean) {
    this.#isAnswer = isAnswer
  }

  push(chunk: Buffer): Buffer {
    if (this.#isBroken) return NOTHING
    const end = chunk.lastIndexOf(LF) + 1
    this.#requireFit(end === 0 ? chunk.length : chunk.indexOf(LF))
    if (end === 0) {
      this.#held.add(chunk)
      return NOTHING
    }
    const { mended, isBroken } = mendLines(this.#takeHeld(chunk.subarray(0, end)))
    if (end < chunk.length) this.#held.add(chunk.subarray(end))
    this.#isBroken = isBroken
    this.#keepLast(mended)
    return mended
  }

  end(): Buffer {
    const held = this.#takeHeld(NOTHING)
    if (this.#isBroken || !parseLine(held)) return NOTHING
    this.#last = held
    return Buffer.concat([held, END_OF_LINE])
  }

  isWhole(): boolean {
    const line = parseLine(this.#last)
    return line !== null && !this.#isBroken && isLastLine(line, this.#isAnswer)
  }

  isBroken(): boolean {
    return this.#isBroken
  }

  #requireFit(more: number): void {
    if (this.#held.size + more <= LINE_LIMIT) return
    this.#isBroken = true
    throw new LineTooLongError(`A line is longer than ${LINE_LIMIT} bytes.`)
  }

  /** What was held with the bytes behind it. */
  #takeHeld(more: Buffer): Buffer {
    if (this.#held.size === 0) return more
    this.#held.add(more)
    const held = runAtOnce(this.#held.take())
    this.#held = new GatheredBytes()
    return held
  }

  #keepLast(bytes: Buffer): void {
    let to = bytes.length
    while (to > 0 && bytes[to - 1]! <= SPACE) to -= 1
    if (to > 0) this.#last = bytes.subarray(bytes.lastIndexOf(LF, to - 1) + 1, to)
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
    isWhole: () =>
      guard.isComplete() || guard.hasFailed() || (hasOthers && !hasChoices && !guard.isBroken()),
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

/**
 * The guard for replies of a type that streams have; null for all others, which pass as they come.
 * `isAnswer`: its last line says so.
 */
export function createPassedGuard(type: string, { isAnswer = false } = {}): PassedGuard | null {
  if (/^application\/x-ndjson/i.test(type)) return new LineGuard(isAnswer)
  return /^text\/event-stream/i.test(type) ? new EitherGuard(type) : null
}
