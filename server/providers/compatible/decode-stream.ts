import { createSseScanner, type ServerSentEvent } from '../../lib/sse.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, type FrameDecoder } from '../read-frames.ts'
import {
  incomplete,
  toErrorFrame,
  toReportedFrame,
  unreadable,
  type FaultContext,
} from '../upstream-faults.ts'
import { mendChunk, toChunk } from './convert-chunk.ts'
import { Endings } from './endings.ts'
import { END_MARK, parseFrames } from './parse-frame.ts'
import { createFrameRepeater } from './repeat-frame.ts'

/** With the spaces around it. */
const LONGEST_END_MARK = 100
const EVENT_END = '\n\n'
const FIELD = 'data: '
const NEW_LINE = /[\r\n]/
/** Events of a piece that are read one by one until a run of frames is found that only repeat. */
const MOST_SINGLE_EVENTS = 3

/**
 * Reads the event stream of a chat-completions provider. An answer with an event that cannot be
 * read is incomplete; noise is skipped. With `joinsText`, frames that came together and differ in
 * their text alone become one frame. `answers` is how many were asked for: each of them has to tell
 * why it ended.
 */
export function createStreamDecoder(
  context: FaultContext,
  { joinsText = false, answers = 1 } = {},
): FrameDecoder {
  const scanner = createSseScanner()
  const repeater = createFrameRepeater()
  let isDone = false
  const endings = new Endings(answers)
  let hasEnded = false

  function toFrames(event: ServerSentEvent): CompletionFrame[] {
    const values = parseFrames(event)?.map(mendChunk) ?? [null]
    // Nothing of the answer is missing any more once it told why it ended.
    if (!values.every((value) => value !== null))
      return endings.areAll()
        ? []
        : [toErrorFrame(hasEnded ? incomplete(context) : unreadable(context))]
    return values.flatMap((value) => {
      if (value['error'] !== undefined && value['error'] !== null)
        return toReportedFrame(value['error'], context)
      const chunk = toChunk(value)
      if (!chunk) return []
      for (const { index, finish_reason: finish } of chunk.choices)
        endings.note(index, Boolean(finish))
      if (values.length === 1) repeater.learn(event.data, chunk)
      return chunk
    })
  }

  /** Text that may be joined with what follows in the same bytes. */
  let joined = ''
  function flush(frames: CompletionFrame[]): void {
    if (joined !== '') frames.push(repeater.repeat(joined))
    joined = ''
  }

  function takeText(text: string, frames: CompletionFrame[]): void {
    joined += text
    if (!joinsText) flush(frames)
  }

  function take(event: ServerSentEvent, frames: CompletionFrame[]): void {
    if (isDone) return
    const { data } = event
    const text = repeater.read(data)
    if (text !== null) {
      takeText(text, frames)
      return
    }
    flush(frames)
    if (data.length < LONGEST_END_MARK && data.trim() === END_MARK) isDone = true
    else frames.push(...toFrames(event))
  }

  /** Frames that only repeat, as far as a piece begins with them; answers where the rest begins. */
  function takeRun(bytes: Buffer, frames: CompletionFrame[]): number {
    const run = isDone || !scanner.isBetweenEvents() ? null : repeater.readRun(bytes, joinsText)
    if (!run) return 0
    for (const text of run.texts) takeText(text, frames)
    return run.length
  }

  /** Bytes that are one event; nearly all are one line, which needs no scanner. */
  function takeEvent(bytes: Buffer, frames: CompletionFrame[]): void {
    const event = scanner.isBetweenEvents() ? bytes.toString('utf8') : ''
    if (event.startsWith(FIELD) && !NEW_LINE.test(event.slice(0, -EVENT_END.length))) {
      take({ name: '', data: event.slice(FIELD.length, -EVENT_END.length) }, frames)
    } else for (const found of scanner.push(bytes)) take(found, frames)
  }

  function push(chunk: Buffer): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    let rest = chunk
    for (let single = 0; single < MOST_SINGLE_EVENTS; single += 1) {
      rest = rest.subarray(takeRun(rest, frames))
      const end = rest.indexOf(EVENT_END)
      if (end === -1) break
      takeEvent(rest.subarray(0, end + EVENT_END.length), frames)
      rest = rest.subarray(end + EVENT_END.length)
    }
    if (rest.length > 0) for (const event of scanner.push(rest)) take(event, frames)
    flush(frames)
    return frames
  }

  return {
    push,
    end() {
      const frames: CompletionFrame[] = []
      hasEnded = true
      for (const event of scanner.end()) take(event, frames)
      flush(frames)
      return isDone || endings.areAll() || frames.some(isErrorFrame)
        ? frames
        : [...frames, toErrorFrame(incomplete(context))]
    },
    isDone: () => isDone,
    isComplete: () => isDone || endings.areAll(),
  }
}
