import { ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../../lib/json/json-bytes.ts'
import { JsonMeter, type JsonBounds } from '../../lib/json/json-bounds.ts'
import { parseJson, parseJsonInSteps } from '../../lib/json/parse-json.ts'
import { eachInSteps } from '../../lib/turns.ts'
import { FrameError, type Frame, type Message } from './frames.ts'

/**
 * A message, or for one that exceeds the limits its short members, which identify it, and the
 * reason for the refusal.
 */
export type ReadFrame =
  | { readonly message: Message; readonly refusal: null }
  | { readonly message: Partial<Message>; readonly refusal: ServiceError }

/** Size of the JSON length, if parts follow the JSON. */
const LENGTH_BYTES = 4
/** Number of bytes processed in one step. */
const SLICE_BYTES = 64 * 1024
/** Maximum length of JSON that is parsed in one step. */
export const SMALL_BYTES = 16 * 1024
/** Maximum length of names, ids and numbers; longer members do not identify a message. */
const LONGEST_MEMBER = 256
const MOST_MEMBERS = 16

/** Refuses a payload with too many values or levels before it is parsed. */
function* measure(json: Buffer, bounds: JsonBounds): Generator<void, ServiceError | null> {
  const meter = new JsonMeter(bounds)
  try {
    for (let place = 0; place < json.length; place += SLICE_BYTES) {
      meter.take(json.subarray(place, place + SLICE_BYTES))
      yield
    }
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  return null
}

/** Returns the first short members of the outermost object as JSON, without parsing the others. */
function* findShortMembers(json: Buffer): Generator<void, string> {
  const members: string[] = []
  let depth = 0
  let start = 0
  let pause = SLICE_BYTES
  let isInText = false
  const keep = (end: number): void => {
    if (end > start && end - start <= LONGEST_MEMBER)
      members.push(json.toString('utf8', start, end))
    start = end + 1
  }
  for (let place = 0; place < json.length && members.length < MOST_MEMBERS; place += 1) {
    if (place >= pause) {
      pause += SLICE_BYTES
      yield
    }
    const byte = json[place]
    if (isInText) {
      if (byte === BACKSLASH) place += 1
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1
      if (depth === 1) start = place + 1
    } else if (byte === COMMA && depth === 1) keep(place)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) keep(place)
    }
  }
  return `{${members.join(',')}}`
}

/** Returns the identifying members of a refused message. */
function* readAbout(json: Buffer): Generator<void, Partial<Message>> {
  const text = yield* findShortMembers(json)
  const about = parseOrThrow(() => JSON.parse(text) as unknown)
  return isRecord(about) ? (about as Partial<Message>) : {}
}

function parseOrThrow<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (cause) {
    throw new FrameError('A frame contains no JSON.', { cause })
  }
}

function* parse(json: Buffer): Generator<void, Message> {
  const value = yield* parseValue(json)
  if (!isRecord(value) || typeof value['t'] !== 'string')
    throw new FrameError('A frame contains no message.')
  return value as Message
}

function* parseValue(json: Buffer): Generator<void, unknown> {
  if (json.length <= SMALL_BYTES) return parseOrThrow(() => parseJson(json))
  try {
    return (yield* parseJsonInSteps(json)).value
  } catch (cause) {
    throw new FrameError('A frame contains no JSON.', { cause })
  }
}

/** Returns the bytes sent beside the JSON. */
function* cutParts(lengths: unknown, bytes: Buffer): Generator<void, Buffer[]> {
  const parts: Buffer[] = []
  let place = 0
  yield* eachInSteps(Array.isArray(lengths) ? (lengths as unknown[]) : [], (length) => {
    if (!Number.isInteger(length) || Number(length) < 0)
      throw new FrameError('A frame has a part without a length.')
    parts.push(bytes.subarray(place, (place += Number(length))))
  })
  if (place !== bytes.length)
    throw new FrameError('The parts of a frame do not have the stated lengths.')
  return parts
}

/** Replaces the placeholders `{"$bytes": n}` by the parts. */
function* putParts(message: Message, parts: readonly Buffer[]): Generator<void, void> {
  const left: object[] = [message]
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    const holder = container as Record<string | number, unknown>
    const names: Iterable<string | number> = Array.isArray(container)
      ? container.keys()
      : Object.keys(container)
    yield* eachInSteps(names, (name) => {
      const child = holder[name]
      if (isRecord(child) && typeof child['$bytes'] === 'number')
        holder[name] = parts[child['$bytes']] ?? null
      else if (typeof child === 'object' && child !== null) left.push(child)
    })
    yield
  }
}

/**
 * Parses a frame in short steps: within the limits it becomes a message, else a refusal (413).
 * Throws a `FrameError` for one that contains no message (resources/plugin-host/PROTOCOL.md,
 * Frames).
 */
export function* parseFrame(
  { hasParts, payload }: Frame,
  bounds: JsonBounds,
): Generator<void, ReadFrame> {
  const start = hasParts ? LENGTH_BYTES : 0
  const end = !hasParts
    ? payload.length
    : payload.length < start
      ? Infinity
      : start + payload.readUInt32BE(0)
  if (end > payload.length) throw new FrameError('The JSON of a frame is longer than the frame.')
  const json = payload.subarray(start, end)
  const refusal = yield* measure(json, bounds)
  if (refusal !== null) return { message: yield* readAbout(json), refusal }
  const message = yield* parse(json)
  if (hasParts) yield* putParts(message, yield* cutParts(message['parts'], payload.subarray(end)))
  return { message, refusal: null }
}
