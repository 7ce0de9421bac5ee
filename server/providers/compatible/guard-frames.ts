import { isUtf8 } from 'node:buffer'
import { ByteGatherer } from '../../lib/byte-gatherer.ts'
import { giveLargeMemoryBack } from '../../lib/large-memory.ts'
import { LineScanner, LINE_LIMIT, LineTooLongError } from '../../lib/lines.ts'
import { withoutLongTexts } from '../../lib/long-texts.ts'
import { joinPieces } from '../../lib/join-pieces.ts'
import { isWholeEvent } from '../../lib/sse.ts'
import { mendChunk } from './convert-chunk.ts'
import { Endings } from './endings.ts'
import { END_MARK, parseFrames, parseObject } from './parse-frame.ts'
import { measureRun, type Run } from './read-run.ts'

/**
 * What one event says of the whole answer. `finished`: it tells why the answer ended; `done`: it is
 * the end mark itself.
 */
export type Verdict = 'open' | 'finished' | 'done' | 'failed'

type Judge = (value: Record<string, unknown>) => Verdict

/** What the objects of a format mean to a guard. */
export interface GuardedFormat {
  /**
   * Makes the judge of one stream, as events may have to be seen together. What it called finished
   * may be open again.
   */
  readonly judging: () => Judge
  /**
   * An event as SDKs can read it; the same object when they can read it as it is, null when a part
   * of the answer is lost in it.
   */
  mend(value: Record<string, unknown>): Record<string, unknown> | null
  /**
   * The text of an event that nearly all others repeat with another text, and the name of its
   * field.
   */
  textOf(value: Record<string, unknown>): { readonly field: string; readonly text: string } | null
  /**
   * The name SDKs know an event by, for events that came without one; absent where they need none.
   */
  readonly eventName?: (value: Record<string, unknown>) => string | null
}

/**
 * Lets an event stream pass as bytes, whole events only, so that a stream that breaks off can still
 * be ended properly. Events that only repeat are compared, not parsed. What SDKs would not read is
 * written again as they do, noise is left out, and so is everything behind the end mark and behind
 * an event of an open answer that cannot be read. Behind an error only the end mark passes.
 */
export interface FrameGuard {
  /**
   * Bytes that may be written now; the chunk itself when nothing had to be held back or changed.
   */
  push(chunk: Buffer): Buffer
  /** Called when all that passed was sent: the memory of a long event is used again. */
  giveBack(): void
  /** Where the next bytes may be written, in the middle of a long event. */
  room(length: number): Buffer | null
  /**
   * What was left when the upstream ended: an event whose blank line is missing, never a half one.
   */
  end(): Buffer
  /** Whether the end mark has passed. */
  isDone(): boolean
  /** Whether the answer was told to be finished, or its end mark has passed. */
  isComplete(): boolean
  /** Whether the upstream told an error itself. */
  hasFailed(): boolean
  /** Whether a part of the answer cannot be read; nothing behind it passes. */
  isBroken(): boolean
}

const EVENT_END = '\n\n'
const FIELD = 'data:'
const OTHER_FIELD = /^(event|id|retry):/
const NAME_FIELD = /^event:(.*)$/m
/** An event as nearly all senders write it: perhaps a name, and one line of data. */
const PLAIN_EVENT = /^(?:event:[^\n\r]*\n)?data: ?(\S[^\n\r]*\S)\n\n$/
/** Events of a piece that are read one by one until a run of events is found that only repeat. */
const MOST_SINGLE_EVENTS = 3
/**
 * Learning an event costs more than parsing it. A sender whose events never repeat is not learnt
 * from for long.
 */
const MOST_LEARNT = 8
const NOTHING = Buffer.alloc(0)
/**
 * A piece of an event this long is part of a longer one, such as a picture, and kept as bytes until
 * the event is whole.
 */
const LARGE_PIECE = 16 * 1024
/** Events from here on are read without their long texts first. */
const LARGE_EVENT = 256 * 1024
const LF = 0x0a
const CR = 0x0d

/**
 * What stands around the text of an event; null when the text stands there in another spelling or
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

/** A class, because one is made for every stream. */
class EventGuard implements FrameGuard {
  readonly #format: GuardedFormat
  readonly #judge: Judge
  readonly #lines = new LineScanner()
  /** The fields and the data of the event being read line by line. */
  #fields = ''
  #data: string | null = null
  /** Whether the data is a single line so far; see the scanner of events. */
  #isOneLine = false
  #isFirst = true
  #run: Run | null = null
  #learnt = 0
  #verdict: Verdict = 'open'
  #isBroken = false
  /** The beginning of a long line of data. */
  readonly #held = new ByteGatherer()
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
      const end = rest.indexOf(EVENT_END)
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
   * Keeps the pieces of a long line together, without reading them one by one; null until it ends.
   */
  #gather(chunk: Buffer): Buffer | null {
    const isLong =
      this.#held.size > 0 ||
      (chunk.length >= LARGE_PIECE && this.#isBetweenEvents() && !this.#hasStopped())
    if (!isLong || (this.#held.size === 0 && chunk.toString('latin1', 0, FIELD.length) !== FIELD))
      return chunk
    if (chunk.includes(LF) || chunk.includes(CR)) return this.#release(chunk)
    this.#held.push(chunk)
    if (this.#held.size > LINE_LIMIT) {
      // Nothing of it passes, also when the stream is ended because of it.
      this.#held.take()
      throw new LineTooLongError(`A line is longer than ${LINE_LIMIT} bytes.`)
    }
    return null
  }

  /** Keeps the beginning of a line that is likely to be a long one; false for anything else. */
  #holdBeginning(rest: Buffer): boolean {
    const isBeginning =
      rest.length >= LARGE_PIECE &&
      this.#isBetweenEvents() &&
      !this.#hasStopped() &&
      rest.toString('latin1', 0, FIELD.length) === FIELD &&
      !rest.includes(LF) &&
      !rest.includes(CR)
    if (!isBeginning) return false
    this.#held.push(rest)
    return true
  }

  #release(last: Buffer): Buffer {
    if (this.#held.size === 0) return last
    this.#held.push(last)
    this.#lastLong = this.#held.take()
    return this.#lastLong
  }

  giveBack(): void {
    if (this.#lastLong) giveLargeMemoryBack(this.#lastLong)
    this.#lastLong = null
  }

  #isBetweenEvents(): boolean {
    return this.#data === null && this.#fields === '' && this.#lines.isBetweenLines()
  }

  /**
   * Whether bytes are an event with a picture or the like that passes as it came: what is in it is
   * read without making strings of its megabytes.
   */
  #isLargeAsWritten(bytes: Buffer): boolean {
    if (bytes.length < LARGE_EVENT || this.hasFailed() || !this.#isBetweenEvents()) return false
    const isOneLine =
      bytes.toString('latin1', 0, FIELD.length) === FIELD &&
      bytes.indexOf(LF) === bytes.length - EVENT_END.length &&
      !bytes.includes(CR)
    const text = isOneLine ? withoutLongTexts(bytes)?.toString('utf8', FIELD.length) : undefined
    const value = text === undefined ? null : parseObject(text)
    if (
      !value ||
      !isUtf8(bytes) ||
      this.#format.mend(value) !== value ||
      this.#withName('', value) !== ''
    )
      return false
    this.#isFirst = false
    this.#note(value)
    return true
  }

  /** Bytes that end an event; nearly all are one plain event, which passes as it came. */
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

  /** The bytes themselves where nothing of them changes: those behind a picture are then sent with it. */
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

  /** What was read so far, when it is an event by itself. */
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

  /** An event as SDKs read it: one object on one line. */
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

/** Several answers may come in one stream, and it is finished when each that began is. */
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

/** Chunks of chat completions. */
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
