import { upstreamFailed } from '../../lib/errors.ts'
import { parseObjects } from '../../lib/mend-json.ts'
import { parseJsonInSteps } from '../../lib/parse-json.ts'
import { nextTurn, runInTurns } from '../../lib/turns.ts'
import { notAnApi } from '../upstream.ts'
import { unreadable, type FaultContext } from '../upstream-faults.ts'
import { MOST_LEVELS } from './parse-frame.ts'

/** Longer answers hold pictures or sound, and parsing them at once takes longer than others may wait. */
const MOST_PARSED = 256 * 1024
const SLICE_BYTES = 1024 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = [0x7b, 0x5b]
const CLOSING = [0x7d, 0x5d]
const MARK = Buffer.from('\uFEFF')

/** Whether these bytes are nested too deeply; looked through in slices, with others served in between. */
async function isDeep(bytes: Buffer): Promise<boolean> {
  let [depth, isText] = [0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % SLICE_BYTES === 0 && at > 0) await nextTurn()
    const byte = bytes[at]!
    if (isText) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (OPENING.includes(byte)) {
      depth += 1
      if (depth > MOST_LEVELS) return true
    } else if (CLOSING.includes(byte)) depth -= 1
  }
  return false
}

/** The document of a whole answer, an object or a list, and whether its bytes are no valid JSON as they stand. */
export interface WholeDocument {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[]
  readonly isMended: boolean
}

/** The document of a whole answer. 502 when it is no JSON, was cut off or is nested too deeply to be written again. */
export async function parseWhole(bytes: Buffer, faults: FaultContext): Promise<WholeDocument> {
  const start = bytes.toString('utf8', 0, 1000).trimStart()
  if (!/^[[{]/.test(start)) throw notAnApi(faults)
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

/** The bytes behind a byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer => (bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes)

function parse(text: string): WholeDocument['value'] | null {
  try {
    return JSON.parse(text) as WholeDocument['value']
  } catch {
    return null
  }
}

const broken = ({ name }: FaultContext) =>
  upstreamFailed(`The connection "${name}" sent an answer that was cut off or is no valid JSON.`, { code: 'upstream_incomplete' })
