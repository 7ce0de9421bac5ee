import type { CallNotes } from '../lib/call-notes.ts'
import { badRequest } from '../lib/errors.ts'
import { isLargeJson, stringifyInSteps } from '../lib/stringify-in-steps.ts'
import { runInTurns } from '../lib/turns.ts'
import { setOwn } from '../lib/set-own.ts'

/** Fields of a request that only the gateway reads. */
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
 * and 13). Only the top level matters: nothing deeper is ever used as a target.
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

/** A request without the fields that only the gateway reads. */
export function stripGatewayFields(
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(request))
    if (!isLeftOut(name)) setOwn(body, name, value)
  return body
}

/** Notes what a caller may not choose and the gateway takes out of the request. */
export function noteDroppedFields(
  notes: CallNotes,
  request: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(request))
    if (targets.has(name) || isOtherModel(name)) notes.ignored(name, 'gateway_decides')
}

/**
 * Some upstreams read field names in any case, so that another spelling could name another model
 * than the one checked.
 */
const isOtherModel = (name: string): boolean =>
  name.length === 5 && name !== 'model' && name.toLowerCase() === 'model'

const isLeftOut = (name: string): boolean => dropped.has(name) || isOtherModel(name)

/**
 * Whether `model` stands in the bytes once, so that no upstream can read another one than the
 * gateway checked. Inside JSON strings quotes are escaped, so the quoted word is always a real name
 * or value; an escaped letter of it begins `\\u006`.
 */
function hasOneModel(bytes: Buffer): boolean {
  const first = bytes.indexOf('"model"')
  return bytes.indexOf('"model"', first + 1) === -1 && !bytes.includes('\\u006')
}

/**
 * Request bytes for an upstream: the very same bytes when nothing changes, else the request without
 * gateway fields. A promise only where bytes have to be made.
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
 * JSON bytes of a request, a large one in turns with the work of others; 400 when it is nested too
 * deeply to be written.
 */
export async function serializeBody(body: Readonly<Record<string, unknown>>): Promise<Buffer> {
  try {
    if (isLargeJson(body)) return await runInTurns(stringifyInSteps(body))
    return Buffer.from(JSON.stringify(body), 'utf8')
  } catch (cause) {
    throw badRequest('The request is nested too deeply.', { code: 'too_deep', cause })
  }
}
