import { SseScanner, type ServerSentEvent } from '../../lib/bytes/sse.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, type FrameDecoder } from '../upstream/read-frames.ts'
import {
  incomplete,
  toErrorFrame,
  toReportedFrame,
  unreadable,
  type FaultContext,
} from '../upstream/upstream-faults.ts'
import { mendChunk, toChunk } from './convert-chunk.ts'
import { Endings } from './endings.ts'
import { END_MARK, parseFrames } from './parse-frame.ts'
import { FrameRepeater } from './repeat-frame.ts'

/** Maximum length of the end mark with spaces around it. */
const LONGEST_END_MARK = 100
const EVENT_END = '\n\n'
const FIELD = 'data: '
const NEW_LINE = /[\r\n]/
/** Number of events in a chunk that are read one by one before the scanner takes the rest. */
const MOST_SINGLE_EVENTS = 3

/**
 * Reads the event stream of a chat-completions provider. An answer with an unreadable event is
 * incomplete; noise is skipped. With `joinsText`, frames that arrive together and differ only in
 * their text become one frame. `answers` is the number of choices requested: each of them needs a
 * finish reason.
 */
export class StreamDecoder implements FrameDecoder {
  readonly #faults: FaultContext
  readonly #joinsText: boolean
  readonly #endings: Endings
  readonly #scanner = new SseScanner()
  readonly #repeater = new FrameRepeater()
  #isDone = false
  #hasEnded = false
  /** Text that may be joined with the following text of the same bytes. */
  #joined = ''

  constructor({
    faults,
    joinsText = false,
    answers = 1,
  }: {
    faults: FaultContext
    joinsText?: boolean
    answers?: number
  }) {
    this.#faults = faults
    this.#joinsText = joinsText
    this.#endings = new Endings(answers)
  }

  push(chunk: Buffer): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    let rest = chunk
    for (let single = 0; single < MOST_SINGLE_EVENTS; single += 1) {
      rest = rest.subarray(this.#takeRun(rest, frames))
      const end = rest.indexOf(EVENT_END)
      if (end === -1) break
      this.#takeEvent(rest.subarray(0, end + EVENT_END.length), frames)
      rest = rest.subarray(end + EVENT_END.length)
    }
    if (rest.length > 0) for (const event of this.#scanner.push(rest)) this.#take(event, frames)
    this.#flush(frames)
    return frames
  }

  end(): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    this.#hasEnded = true
    for (const event of this.#scanner.end()) this.#take(event, frames)
    this.#flush(frames)
    return this.isComplete() || frames.some(isErrorFrame)
      ? frames
      : [...frames, toErrorFrame(incomplete(this.#faults))]
  }

  isDone(): boolean {
    return this.#isDone
  }

  isComplete(): boolean {
    return this.#isDone || this.#endings.areAll()
  }

  /**
   * Reads the repetitive frames at the start of a chunk; returns the number of bytes they occupy.
   */
  #takeRun(bytes: Buffer, frames: CompletionFrame[]): number {
    if (this.#isDone || !this.#scanner.isBetweenEvents()) return 0
    const run = this.#repeater.readRun(bytes, this.#joinsText)
    if (!run) return 0
    for (const text of run.texts) this.#takeText(text, frames)
    return run.length
  }

  /** Reads the bytes of one event. Nearly every event is one line, which needs no scanner. */
  #takeEvent(bytes: Buffer, frames: CompletionFrame[]): void {
    const event = this.#scanner.isBetweenEvents() ? bytes.toString('utf8') : ''
    if (event.startsWith(FIELD) && !NEW_LINE.test(event.slice(0, -EVENT_END.length))) {
      this.#take({ name: '', data: event.slice(FIELD.length, -EVENT_END.length) }, frames)
    } else for (const found of this.#scanner.push(bytes)) this.#take(found, frames)
  }

  #take(event: ServerSentEvent, frames: CompletionFrame[]): void {
    if (this.#isDone) return
    const { data } = event
    const text = this.#repeater.read(data)
    if (text !== null) {
      this.#takeText(text, frames)
      return
    }
    this.#flush(frames)
    if (data.length < LONGEST_END_MARK && data.trim() === END_MARK) this.#isDone = true
    else frames.push(...this.#toFrames(event))
  }

  #takeText(text: string, frames: CompletionFrame[]): void {
    this.#joined += text
    if (!this.#joinsText) this.#flush(frames)
  }

  #flush(frames: CompletionFrame[]): void {
    if (this.#joined !== '') frames.push(this.#repeater.repeat(this.#joined))
    this.#joined = ''
  }

  #toFrames(event: ServerSentEvent): CompletionFrame[] {
    const values = parseFrames(event)?.map(mendChunk) ?? [null]
    // If all choices have a finish reason, nothing of the answer is missing.
    if (!values.every((value) => value !== null))
      return this.#endings.areAll()
        ? []
        : [toErrorFrame(this.#hasEnded ? incomplete(this.#faults) : unreadable(this.#faults))]
    return values.flatMap((value) => {
      if (value['error'] !== undefined && value['error'] !== null)
        return toReportedFrame(value['error'], this.#faults)
      const chunk = toChunk(value)
      if (!chunk) return []
      for (const { index, finish_reason: finish } of chunk.choices)
        this.#endings.note(index, Boolean(finish))
      if (values.length === 1) this.#repeater.learn(event.data, chunk)
      return chunk
    })
  }
}
