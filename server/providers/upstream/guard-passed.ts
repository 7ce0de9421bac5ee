import { isUtf8 } from 'node:buffer'
import { GatheredBytes } from '../../lib/bytes/gathered-bytes.ts'
import { LINE_LIMIT, LineTooLongError } from '../../lib/bytes/lines.ts'
import { parseObjects } from '../../lib/json/mend-json.ts'
import { runAtOnce } from '../../lib/turns.ts'
import { completionFrames, createFrameGuard } from '../compatible/guard-frames.ts'
import { isTooRich, parseObject } from '../compatible/parse-frame.ts'
import { KindReader } from './reply-kind.ts'

/** Relays the bytes of a proxied stream and reports whether it was complete when it ended. */
export interface PassedGuard {
  push(chunk: Buffer): Buffer
  /** Returns the remaining bytes that may be relayed: a complete last line. */
  end(): Buffer
  /** Returns false if the upstream ended the stream before the end mark it uses. */
  isWhole(): boolean
  /** Returns true if a part of an answer is unreadable; nothing after it passes. */
  isBroken(): boolean
}

const LF = 10
const SPACE = 32
const NOTHING = Buffer.alloc(0)
const END_OF_LINE = Buffer.from('\n')

const parseLine = (line: Buffer): Record<string, unknown> | null =>
  parseObject(line.toString('utf8'))

/**
 * Returns true for the line that ends a stream: answers end with `done: true` and progress reports
 * with the status `success`; other streams have no end mark.
 */
function isLastLine({ done, status, error }: Record<string, unknown>, isAnswer: boolean): boolean {
  if (error !== undefined || done === true) return true
  return !isAnswer && (status === 'success' || (done === undefined && status === undefined))
}

/**
 * Returns complete lines in a form SDKs read, with a flag for an unreadable one; that line and the
 * following ones are left out.
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

/**
 * Guards lines of JSON; only complete ones pass. The last one shows whether the stream is complete.
 */
class LineGuard implements PassedGuard {
  readonly #isAnswer: boolean
  /** Beginning of a line. */
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

  /** Returns the held bytes followed by the new ones. */
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

/** Guards events of chat completions; those of other calls have no end mark. */
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

/** Guards a reply with the type of a stream: events, or a document despite its type. */
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
 * Returns the guard for replies of a streaming type; null for all others, which are relayed
 * unchanged. `isAnswer`: its last line has an end mark.
 */
export function createPassedGuard(type: string, { isAnswer = false } = {}): PassedGuard | null {
  if (/^application\/x-ndjson/i.test(type)) return new LineGuard(isAnswer)
  return /^text\/event-stream/i.test(type) ? new EitherGuard(type) : null
}
