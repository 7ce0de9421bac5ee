import type { RequestDetail, RequestRecord } from '#contract/requests.ts'
import type { Caller } from '../lib/http.ts'
import { redactText } from '../lib/logger.ts'
import { nameProgram } from './name-program.ts'
import { readUsage } from './read-usage.ts'
import type { CallEntry } from './record-call.ts'

/**
 * Returns the name of the key a call was made with; null if the key was deleted or there was none.
 */
export type KeyName = (caller: Caller) => Promise<string | null>

const LONGEST_ERROR = 500

const toMilliseconds = (value: number): number => Math.round(value * 100) / 100

/**
 * Returns the message of an error body that was not written by the gateway's own error handling,
 * such as a relayed response.
 */
function findSentence(end: string | null): string | null {
  const text = Buffer.from(end ?? '', 'latin1').toString('utf8')
  const found = /"(?:detail|message)"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(text)?.[1]
  return found === undefined ? null : redactText(found)
}

function errorOf({ status, error, end }: CallEntry): string | null {
  const sentence = error === null ? (status >= 400 ? findSentence(end) : null) : redactText(error)
  return sentence && sentence.slice(0, LONGEST_ERROR)
}

/** Returns a call as the log shows it. */
export async function toRecord(entry: CallEntry, keyName: KeyName): Promise<RequestRecord> {
  const { caller } = entry
  return {
    id: entry.id,
    seq: entry.seq,
    time: entry.time,
    method: entry.method,
    endpoint: entry.endpoint.id,
    path: entry.path,
    status: entry.status,
    provider_status: entry.notes.attempts.at(-1)?.status ?? null,
    milliseconds: toMilliseconds(entry.milliseconds),
    first_byte_milliseconds:
      entry.firstByteMilliseconds === null ? null : toMilliseconds(entry.firstByteMilliseconds),
    bytes_in: entry.bytesIn,
    bytes_out: entry.bytesOut,
    user: caller && { id: caller.userId, name: caller.name },
    credential: caller && caller.credential,
    key_name: caller && (await keyName(caller)),
    program: nameProgram(entry.userAgent),
    model: entry.model === null ? null : redactText(entry.model),
    stream: entry.stream,
    usage: entry.model === null ? null : readUsage(entry.end),
    error: errorOf(entry),
    has_bodies: entry.bodies !== null,
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Returns the call as a shell command, with the key taken from the environment. */
function toCurl({ method, path, bodies }: CallEntry, origin: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(origin + path),
    '-H "Authorization: Bearer $CHAT_GATEWAY_KEY"',
  ]
  if (bodies?.request)
    parts.push("-H 'Content-Type: application/json'", '--data-binary', quote(bodies.request.text))
  return parts.join(' ')
}

/** Reports whether a call can be sent again unchanged. */
export const canReplay = ({ method, path, endpoint, bodies }: CallEntry): boolean =>
  method === 'POST' &&
  endpoint.body !== undefined &&
  bodies?.request?.isWhole === true &&
  /^\/(?!.*\[redacted\])/.test(path)

/**
 * Returns a call with all recorded data; `origin` is the URL at which the reader reaches the
 * gateway.
 */
export async function toDetail(
  entry: CallEntry,
  { keyName, origin }: { keyName: KeyName; origin: string },
): Promise<RequestDetail> {
  const { notes } = entry
  return {
    ...(await toRecord(entry, keyName)),
    attempts: notes.attempts.map(({ body, error, milliseconds, ...attempt }) => ({
      ...attempt,
      error,
      milliseconds: toMilliseconds(milliseconds),
      request_body: body,
    })),
    translated_fields: notes.translatedFields.map(redactText),
    ignored_fields: notes.ignoredFields.map(({ field, reason }) => ({
      field: redactText(field),
      reason,
    })),
    request_body: entry.bodies?.request?.text ?? null,
    response_body: entry.bodies?.response.text ?? null,
    curl: toCurl(entry, origin),
    can_replay: canReplay(entry),
  }
}
