import type { CallNotes } from '../../lib/serving/call-notes.ts'
import { badRequest } from '../../lib/errors.ts'
import { isLargeJson, stringifyInSteps } from '../../lib/json/stringify-in-steps.ts'
import { runInTurns } from '../../lib/turns.ts'
import { setOwn } from '../../lib/json/set-own.ts'

/** Request fields that only the gateway reads. */
const OWN_FIELDS: readonly string[] = [
  'chat_id',
  'id',
  'continue_response',
  'session_id',
  'parent_id',
  'user_message',
  'parent_message',
  'background_tasks',
  'features',
  'variables',
  'params',
  'filter_ids',
  'files',
  'tool_ids',
  'tool_servers',
  'terminal_id',
  'skill_ids',
  'model_item',
  'folder_id',
  'message_ids',
  'assistant_message_id',
  'regeneration_prompt',
  'new_chat',
]

/**
 * Fields that name another target or its credentials, which no caller may choose (security rows 12
 * and 13). Only the top level matters: no nested field is ever used as a target.
 */
const TARGET_FIELDS: readonly string[] = [
  'api_base',
  'api_key',
  'api_version',
  'base_url',
  'url',
  'headers',
  'extra_headers',
  'extra_body',
  'extra_query',
  'proxy',
  'organization',
  'timeout',
]

const dropped = new Set([...OWN_FIELDS, ...TARGET_FIELDS])
const targets = new Set(TARGET_FIELDS)

/** Returns a request without the fields that only the gateway reads. */
export function stripGatewayFields(
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(request))
    if (!isLeftOut(name)) setOwn(body, name, value)
  return body
}

/** Notes the fields that a caller may not set and the gateway removes from the request. */
export function noteDroppedFields(
  notes: CallNotes,
  request: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(request))
    if (targets.has(name) || isOtherModel(name)) notes.ignored(name, 'gateway_decides')
}

/**
 * Returns true for another spelling of `model`. Some upstreams read field names case-insensitively,
 * so it could name a different model than the one checked.
 */
const isOtherModel = (name: string): boolean =>
  name.length === 5 && name !== 'model' && name.toLowerCase() === 'model'

const isLeftOut = (name: string): boolean => dropped.has(name) || isOtherModel(name)

/**
 * Returns true if `model` occurs in the bytes exactly once, so that no upstream can read a
 * different one than the gateway checked. Inside JSON strings quotes are escaped, so the quoted
 * word is always a real name or value; an escaped letter of it begins with `\\u006`.
 */
function hasOneModel(bytes: Buffer): boolean {
  const first = bytes.indexOf('"model"')
  return bytes.indexOf('"model"', first + 1) === -1 && !bytes.includes('\\u006')
}

/**
 * Returns the request bytes for an upstream: the original bytes if nothing changes, otherwise the
 * request without gateway fields. Returns a promise only if bytes have to be serialized.
 */
export function rewriteModel(
  bytes: Buffer,
  parsed: Readonly<Record<string, unknown>>,
  model: string,
): Buffer | Promise<Buffer> {
  return parsed['model'] === model && !Object.keys(parsed).some(isLeftOut) && hasOneModel(bytes)
    ? bytes
    : serializeBody({ ...stripGatewayFields(parsed), model })
}

/**
 * Serializes a request to JSON, a large one in slices between other work; throws 400 if it is
 * nested too deeply.
 */
export async function serializeBody(body: Readonly<Record<string, unknown>>): Promise<Buffer> {
  try {
    if (isLargeJson(body)) return await runInTurns(stringifyInSteps(body))
    return Buffer.from(JSON.stringify(body), 'utf8')
  } catch (cause) {
    throw badRequest('The request is nested too deeply.', { code: 'too_deep', cause })
  }
}
