import { isUtf8 } from 'node:buffer'
import { ByteGatherer } from '../../lib/bytes/byte-gatherer.ts'
import { giveLargeMemoryBack } from '../../lib/bytes/large-memory.ts'
import { LineScanner, LINE_LIMIT, LineTooLongError } from '../../lib/bytes/lines.ts'
import { withoutLongTexts } from '../../lib/json/long-texts.ts'
import { joinPieces } from '../../lib/bytes/join-pieces.ts'
import {
  isUtf8Outside,
  NOTHING_PLAIN,
  PlainStretch,
  type PlainRange,
} from '../../lib/fast/plain-stretch.ts'
import { isWholeEvent } from '../../lib/bytes/sse.ts'
import { mendChunk } from './convert-chunk.ts'
import { Endings } from './endings.ts'
import { END_MARK, parseFrames, parseObject } from './parse-frame.ts'
import { measureRun, type Run } from './read-run.ts'

/**
 * Meaning of one event for the whole answer. `finished`: it gives the finish reason; `done`: it is
 * the end mark itself.
 */
export type Verdict = 'open' | 'finished' | 'done' | 'failed'

type Judge = (value: Record<string, unknown>) => Verdict

/** Interpretation of a format's objects for a guard. */
export interface GuardedFormat {
  /**
   * Creates the judge of one stream, because events may have to be judged together. A stream judged
   * finished may become open again.
   */
  readonly judging: () => Judge
  /**
   * Returns an event in a form SDKs can read; the same object if it already is, null if a part of
   * the answer is lost in it.
   */
  mend(value: Record<string, unknown>): Record<string, unknown> | null
  /**
   * Returns the text of an event of the kind that repeats with only the text changed, and the name
   * of its field.
   */
  textOf(value: Record<string, unknown>): { readonly field: string; readonly text: string } | null
  /**
   * Returns the name by which SDKs know an event, for events without a name; absent if none is
   * needed.
   */
  readonly eventName?: (value: Record<string, unknown>) => string | null
}

/**
 * Relays an event stream as bytes, whole events only, so that an interrupted stream can still be
 * ended properly. Repetitive events are compared, not parsed. Events SDKs could not read are
 * rewritten, noise is left out, and so is everything after the end mark and after an unreadable
 * event of an open answer. After an error only the end mark passes.
 */
export interface FrameGuard {
  /**
   * Returns the bytes that may be written now; the chunk itself if nothing had to be held back or
   * changed.
   */
  push(chunk: Buffer): Buffer
  /** Called when all passed bytes were sent, so that the memory of a long event can be reused. */
  giveBack(): void
  /** Returns the memory for the next bytes, in the middle of a long event. */
  room(length: number): Buffer | null
  /**
   * Returns the remaining bytes when the upstream ended: an event without its blank line, never a
   * partial one.
   */
  end(): Buffer
  /** Returns true if the end mark has passed. */
  isDone(): boolean
  /** Returns true if the answer was reported as finished, or its end mark has passed. */
  isComplete(): boolean
  /** Returns true if the upstream itself reported an error. */
  hasFailed(): boolean
  /** Returns true if a part of the answer is unreadable; nothing after it passes. */
  isBroken(): boolean
}

const EVENT_END = '\n\n'
const FIELD = 'data:'
const OTHER_FIELD = /^(event|id|retry):/
const NAME_FIELD = /^event:(.*)$/m
/** Event as nearly all senders write it: an optional name, and one line of data. */
const PLAIN_EVENT = /^(?:event:[^\n\r]*\n)?data: ?(\S[^\n\r]*\S)\n\n$/
/**
 * Number of events in a chunk that are read one by one until a run of repetitive events is found.
 */
const MOST_SINGLE_EVENTS = 3
/**
 * Maximum number of events learned: learning one costs more than parsing it, and the events of some
 * senders never repeat.
 */
const MOST_LEARNT = 8
const NOTHING = Buffer.alloc(0)
/**
 * Size from which a piece is treated as part of a longer event, such as an image, and kept as bytes
 * until the event is complete.
 */
const LARGE_PIECE = 16 * 1024
/** Size from which events are first read without their long texts. */
const LARGE_EVENT = 256 * 1024
const LF = 0x0a
const CR = 0x0d

/**
 * Returns the bytes around the text of an event; null if the text is encoded differently or occurs
 * more than once.
 */
function toRun(event: string, { field, text }: { field: string; text: string }): Run | null {
  const literal = JSON.stringify(text)
  const name = event.includes(`"${field}":${literal}`) ? `"${field}":` : `"${field}": `
  const at = event.indexOf(name + literal)
  if (at === -1 || event.includes(name + literal, at + 1)) return null
  const head = Buffer.from(event.slice(0, at + name.length + 1))
  const tail = Buffer.from(event.slice(at + name.length + literal.length - 1))
  return { head, separator: Buffer.concat([tail, head]), tail }
}

const nameOf = (fields: string): string => NAME_FIELD.exec(fields)?.[1]?.trim() ?? ''
const isError = (fields: string): boolean => fields !== '' && nameOf(fields) === 'error'

/** A class, because one is created for every stream. */
class EventGuard implements FrameGuard {
  readonly #format: GuardedFormat
  readonly #judge: Judge
  readonly #lines = new LineScanner()
  /** Fields and data of the event being read line by line. */
  #fields = ''
  #data: string | null = null
  /** True if the data is a single line so far; see the event scanner. */
  #isOneLine = false
  #isFirst = true
  #run: Run | null = null
  #learnt = 0
  #verdict: Verdict = 'open'
  #isBroken = false
  /** Beginning of a long line of data. */
  readonly #held = new ByteGatherer()
  /** Stretch of that line that needs no second look. */
  #plain: PlainStretch | null = null
  #lastLong: Buffer | null = null

  constructor(format: GuardedFormat) {
    this.#format = format
    this.#judge = format.judging()
  }

  isDone(): boolean {
    return this.#verdict === 'done'
  }

  isComplete(): boolean {
    return this.#verdict === 'done' || this.#verdict === 'finished'
  }

  hasFailed(): boolean {
    return this.#verdict === 'failed'
  }

  isBroken(): boolean {
    return this.#isBroken
  }

  #hasStopped(): boolean {
    return this.#isBroken || this.isDone()
  }

  room(length: number): Buffer | null {
    return this.#held.size === 0 ? null : this.#held.room(length)
  }

  push(chunk: Buffer): Buffer {
    const whole = this.#gather(chunk)
    if (whole === null) return NOTHING
    const kept: Buffer[] = []
    let rest = whole
    for (let single = 0; single < MOST_SINGLE_EVENTS && !this.#hasStopped(); single += 1) {
      const length =
        this.#run && !this.hasFailed() && this.#isBetweenEvents() ? measureRun(rest, this.#run) : 0
      if (length > 0) kept.push(rest.subarray(0, length))
      rest = rest.subarray(length)
      const end = rest.indexOf(EVENT_END, this.#plainOf(rest).to)
      if (end === -1) break
      kept.push(this.#takeEvent(rest.subarray(0, end + EVENT_END.length)))
      rest = rest.subarray(end + EVENT_END.length)
    }
    if (rest.length > 0 && !this.#holdBeginning(rest))
      kept.push(this.#takeLines(this.#lines.push(rest)))
    return joinPieces(kept)
  }

  end(): Buffer {
    const lines = this.#held.size === 0 ? [] : this.#lines.push(this.#release(NOTHING))
    const last = this.#lines.end()
    return this.#takeLines(last === null ? [...lines, ''] : [...lines, last, ''])
  }

  /**
   * Gathers the pieces of a long line without reading them one by one; returns null until it ends.
   */
  #gather(chunk: Buffer): Buffer | null {
    const isLong =
      this.#held.size > 0 ||
      (chunk.length >= LARGE_PIECE && this.#isBetweenEvents() && !this.#hasStopped())
    if (!isLong || (this.#held.size === 0 && chunk.toString('latin1', 0, FIELD.length) !== FIELD))
      return chunk
    if (this.#held.size === 0) this.#plain = new PlainStretch()
    const isPlain = this.#plain!.push(chunk)
    if (!isPlain && (chunk.includes(LF) || chunk.includes(CR))) return this.#release(chunk)
    this.#held.push(chunk)
    if (this.#held.size > LINE_LIMIT) {
      // Nothing of the line passes, even when the stream is ended because of it.
      this.#held.take()
      throw new LineTooLongError(`A line is longer than ${LINE_LIMIT} bytes.`)
    }
    return null
  }

  /** Holds the beginning of a line that is likely to be long; returns false for anything else. */
  #holdBeginning(rest: Buffer): boolean {
    const isBeginning =
      rest.length >= LARGE_PIECE &&
      this.#isBetweenEvents() &&
      !this.#hasStopped() &&
      rest.toString('latin1', 0, FIELD.length) === FIELD &&
      !rest.includes(LF) &&
      !rest.includes(CR)
    if (!isBeginning) return false
    this.#plain = new PlainStretch()
    this.#plain.push(rest)
    this.#held.push(rest)
    return true
  }

  #release(last: Buffer): Buffer {
    if (this.#held.size === 0) return last
    this.#held.push(last)
    this.#lastLong = this.#held.take()
    return this.#lastLong
  }

  /** Returns the range known to be plain of bytes that begin with the last long line. */
  #plainOf(bytes: Buffer): PlainRange {
    const isLong =
      bytes.buffer === this.#lastLong?.buffer && bytes.byteOffset === this.#lastLong.byteOffset
    return isLong && this.#plain ? this.#plain : NOTHING_PLAIN
  }

  giveBack(): void {
    if (this.#lastLong) giveLargeMemoryBack(this.#lastLong)
    this.#lastLong = null
  }

  #isBetweenEvents(): boolean {
    return this.#data === null && this.#fields === '' && this.#lines.isBetweenLines()
  }

  /**
   * Returns true if bytes are an event with, for example, an image that passes unchanged: its
   * contents are checked without creating strings of megabytes.
   */
  #isLargeAsWritten(bytes: Buffer): boolean {
    if (bytes.length < LARGE_EVENT || this.hasFailed() || !this.#isBetweenEvents()) return false
    const plain = this.#plainOf(bytes)
    const [before, after] = [bytes.subarray(0, plain.from), bytes.subarray(plain.to)]
    const isOneLine =
      bytes.toString('latin1', 0, FIELD.length) === FIELD &&
      !before.includes(LF) &&
      !before.includes(CR) &&
      after.indexOf(LF) === after.length - EVENT_END.length &&
      !after.includes(CR)
    const short = isOneLine ? withoutLongTexts(bytes, plain) : null
    const text = short?.toString('utf8', FIELD.length)
    const value = text === undefined ? null : parseObject(text)
    if (
      !value ||
      !isUtf8Outside(plain, bytes) ||
      this.#format.mend(value) !== value ||
      this.#withName('', value) !== ''
    )
      return false
    this.#isFirst = false
    this.#note(value)
    return true
  }

  /** Reads bytes that end an event; nearly all are one plain event, which passes unchanged. */
  #takeEvent(bytes: Buffer): Buffer {
    if (this.#isLargeAsWritten(bytes)) return bytes
    const event = this.#isBetweenEvents() ? bytes.toString('utf8') : ''
    const data = PLAIN_EVENT.exec(event)?.[1]
    if (data === undefined) return this.#takeLines(this.#lines.push(bytes))
    this.#isFirst = false
    const fields = this.#fieldsOf(event)
    const value = isError(fields) || this.hasFailed() ? null : parseObject(data)
    if (
      !value ||
      !isUtf8(bytes) ||
      this.#format.mend(value) !== value ||
      this.#withName(fields, value) !== fields
    )
      return this.#passed(bytes, data, fields)
    this.#note(value)
    const found = this.#learnt < MOST_LEARNT ? this.#format.textOf(value) : null
    if (found) {
      this.#learnt += 1
      this.#run = toRun(event, found)
    }
    return bytes
  }

  /**
   * Returns the original bytes if nothing changes, so that the bytes following a picture can be
   * sent with it.
   */
  #passed(bytes: Buffer, data: string, fields: string): Buffer {
    const passed = Buffer.from(this.#pass(data, fields))
    return passed.equals(bytes) ? bytes : passed
  }

  #fieldsOf(event: string): string {
    return event.startsWith(FIELD) ? '' : event.slice(0, event.indexOf('\n') + 1)
  }

  #takeLines(lines: readonly string[]): Buffer {
    let text = ''
    for (const line of lines) if (!this.#hasStopped()) text += this.#takeLine(line)
    return text === '' ? NOTHING : Buffer.from(text)
  }

  #takeLine(given: string): string {
    const line = this.#isFirst && given.startsWith('\uFEFF') ? given.slice(1) : given
    this.#isFirst = false
    if (line === '') return this.#flush()
    if (line.startsWith(':')) return this.#data === null ? line + EVENT_END : ''
    if (line.startsWith(FIELD)) return this.#addData(line.slice(FIELD.length))
    if (!OTHER_FIELD.test(line)) return ''
    const before = this.#flushWhole()
    this.#fields += `${line}\n`
    if (this.#fields.length > LINE_LIMIT)
      throw new LineTooLongError(`An event is longer than ${LINE_LIMIT} characters.`)
    return before
  }

  /** Returns the data read so far if it is a complete event. */
  #flushWhole(): string {
    return this.#data !== null && this.#isOneLine && isWholeEvent(this.#data) ? this.#flush() : ''
  }

  #addData(data: string): string {
    const before = this.#flushWhole()
    this.#isOneLine = this.#data === null
    this.#data = this.#data === null ? data : `${this.#data}\n${data}`
    if (this.#data.length > LINE_LIMIT)
      throw new LineTooLongError(`An event is longer than ${LINE_LIMIT} characters.`)
    return before
  }

  #flush(): string {
    const [data, fields] = [this.#data, this.#fields]
    this.#data = null
    this.#fields = ''
    return data === null || this.#hasStopped() ? '' : this.#pass(data.trim(), fields)
  }

  /** Returns an event in the form SDKs read: one object on one line. */
  #pass(data: string, fields: string): string {
    if (data === END_MARK) {
      this.#verdict = 'done'
      return `${FIELD} ${END_MARK}${EVENT_END}`
    }
    if (this.hasFailed()) return ''
    const whole = isError(fields) ? null : parseObject(data)
    const values = whole ? [whole] : parseFrames({ name: nameOf(fields), data })
    const mended = values?.map((value) => this.#format.mend(value)) ?? [null]
    if (!mended.every((value) => value !== null)) {
      this.#isBroken = this.#verdict === 'open'
      return ''
    }
    for (const value of mended) this.#note(value)
    const isAsWritten = whole !== null && mended[0] === whole && !data.includes('\n')
    return mended
      .map(
        (value) =>
          `${this.#withName(fields, value)}${FIELD} ${isAsWritten ? data : JSON.stringify(value)}${EVENT_END}`,
      )
      .join('')
  }

  #withName(fields: string, value: Record<string, unknown>): string {
    const { eventName } = this.#format
    if (!eventName || nameOf(fields) !== '') return fields
    const name = eventName(value)
    return name === null ? fields : `event: ${name}\n${fields}`
  }

  #note(value: Record<string, unknown>): void {
    const verdict = this.#judge(value)
    const isOpenAgain = verdict === 'open' && this.#verdict === 'finished'
    if ((verdict !== 'open' || isOpenAgain) && !this.isDone() && !this.hasFailed())
      this.#verdict = verdict
  }
}

export const createFrameGuard = (format: GuardedFormat = completionFrames): FrameGuard =>
  new EventGuard(format)

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Judges a stream of several answers, which is finished when each started one is. */
function createChoiceJudge(): Judge {
  const endings = new Endings()
  return ({ choices, error }) => {
    if (error !== undefined && error !== null) return 'failed'
    for (const [position, choice] of (Array.isArray(choices)
      ? (choices as unknown[])
      : []
    ).entries()) {
      const { index, finish_reason: finish } = record(choice)
      endings.note(typeof index === 'number' ? index : position, Boolean(finish))
    }
    return endings.areAll() ? 'finished' : 'open'
  }
}

/** Format of chat completion chunks. */
export const completionFrames: GuardedFormat = {
  mend: mendChunk,
  judging: createChoiceJudge,
  textOf({ choices }) {
    const [choice, other] = Array.isArray(choices) ? (choices as unknown[]) : []
    const text = record(record(choice)['delta'])['content']
    return other === undefined && typeof text === 'string' && text !== ''
      ? { field: 'content', text }
      : null
  },
}
