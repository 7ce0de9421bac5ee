import { upstreamFailed } from '../../lib/errors.ts'
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../../lib/json/json-bytes.ts'
import { parseObjects } from '../../lib/json/mend-json.ts'
import { parseJsonInSteps } from '../../lib/json/parse-json.ts'
import { withoutMark } from '../../lib/bytes/without-mark.ts'
import { nextTurn, runInTurns } from '../../lib/turns.ts'
import { notAnApi } from '../upstream/upstream.ts'
import { unreadable, type FaultContext } from '../upstream/upstream-faults.ts'
import { MOST_LEVELS } from './parse-frame.ts'

/**
 * Size from which answers are likely to hold images or audio; parsing them at once would block the
 * event loop for too long.
 */
const MOST_PARSED = 256 * 1024
const SLICE_BYTES = 1024 * 1024

/** Returns the end of the string literal that starts here. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    at = bytes.indexOf(QUOTE, at)
    if (at === -1) return bytes.length
    let before = at
    while (bytes[before - 1] === BACKSLASH) before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
}

/**
 * Resolves with true if these bytes are nested too deeply; scans them in slices, yielding to other
 * work in between.
 */
async function isDeep(bytes: Buffer): Promise<boolean> {
  let [depth, at, sliceEnd] = [0, 0, SLICE_BYTES]
  while (at < bytes.length) {
    if (at >= sliceEnd) {
      await nextTurn()
      sliceEnd = at + SLICE_BYTES
    }
    const byte = bytes[at]!
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1
    if (depth > MOST_LEVELS) return true
    at = byte === QUOTE ? endOfText(bytes, at + 1) : at + 1
  }
  return false
}

/**
 * Document of a whole answer, an object or a list, with a flag for bytes that are not valid JSON as
 * they are.
 */
export interface WholeDocument {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[]
  readonly isMended: boolean
}

/**
 * Parses the document of a whole answer. Throws 502 if it is not JSON, was cut off or is nested too
 * deeply to be serialized again.
 */
export async function parseWhole(bytes: Buffer, faults: FaultContext): Promise<WholeDocument> {
  if (bytes[0] !== OPEN_OBJECT && !/^[[{]/.test(bytes.toString('utf8', 0, 1000).trimStart()))
    throw notAnApi(faults)
  if (bytes.length > MOST_LEVELS * 2 && (await isDeep(bytes))) throw unreadable(faults)
  if (bytes.length > MOST_PARSED) return parseLarge(bytes, faults)
  const text = bytes.toString('utf8').trim()
  const value = parse(text)
  if (value !== null) return { value, isMended: false }
  const [mended, other] = parseObjects(text) ?? []
  if (!mended || other) throw broken(faults)
  return { value: mended, isMended: true }
}

async function parseLarge(bytes: Buffer, faults: FaultContext): Promise<WholeDocument> {
  try {
    const { value } = await runInTurns(parseJsonInSteps(withoutMark(bytes)))
    return { value: value as WholeDocument['value'], isMended: false }
  } catch {
    throw broken(faults)
  }
}

function parse(text: string): WholeDocument['value'] | null {
  try {
    return JSON.parse(text) as WholeDocument['value']
  } catch {
    return null
  }
}

const broken = ({ name }: FaultContext) =>
  upstreamFailed(`The connection "${name}" sent an answer that was cut off or is no valid JSON.`, {
    code: 'upstream_incomplete',
  })
