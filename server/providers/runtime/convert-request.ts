import { badRequest } from '../../lib/errors.ts'
import { InnerJson } from '../../lib/json/inner-json.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import { namedTool, toPlainRequest } from '../upstream/plain-request.ts'

/** Sampling fields that have the same name in the runtime's `options`. */
export const OPTION_NAMES: readonly string[] = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'typical_p',
  'tfs_z',
  'seed',
  'num_ctx',
  'num_predict',
  'num_keep',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
  'repeat_last_n',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
  'mirostat',
  'mirostat_eta',
  'mirostat_tau',
  'penalize_newline',
  'use_mmap',
  'use_mlock',
  'numa',
]

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function toOptions(body: Fields): Fields {
  const options = isRecord(body['options']) ? { ...body['options'] } : {}
  for (const name of OPTION_NAMES) if (isSet(body[name])) options[name] = body[name]
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  if (isSet(limit)) options['num_predict'] = limit
  if (isSet(body['repetition_penalty'])) options['repeat_penalty'] ??= body['repetition_penalty']
  const stop = body['stop']
  if (typeof stop === 'string') options['stop'] = [stop]
  else if (Array.isArray(stop)) options['stop'] = stop
  return options
}

/** Converts an image to bare base64; a network URL would have to be fetched and is rejected. */
function toImage(url: string): string {
  const match = /^data:[^,]{0,200};base64,(.*)$/s.exec(url)
  if (match) return match[1]!
  if (/^https?:/i.test(url)) {
    throw badRequest(
      'This model runs on the local runtime, which takes images as data only, not as web addresses. Attach the image itself.',
    )
  }
  return url
}

function imageUrl(part: Fields): string | null {
  const image = part['image_url']
  if (typeof image === 'string') return image
  return isRecord(image) && typeof image['url'] === 'string' ? image['url'] : null
}

const unsupported = (type: string) =>
  badRequest(
    `This model runs on the local runtime, which takes text and pictures only, not parts of type "${type}". Send the text.`,
    {
      code: 'unsupported_part',
      param: 'messages',
    },
  )

function splitContent(content: unknown): { content: string; images: string[] } {
  if (!Array.isArray(content))
    return { content: typeof content === 'string' ? content : '', images: [] }
  const parts = content.filter(isRecord)
  for (const { type } of parts)
    if (type === 'input_audio' || type === 'file') throw unsupported(type)
  const texts = parts.map(({ text, refusal }) =>
    typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : null,
  )
  const urls = parts.map(imageUrl)
  return {
    content: texts.filter((text) => text !== null).join('\n'),
    images: urls.filter((url) => url !== null).map(toImage),
  }
}

function parseArguments(value: unknown, inner: InnerJson): unknown {
  if (typeof value !== 'string') return value ?? {}
  const read = inner.read(value === '' ? '{}' : value)
  return read ? read.value : { input: value }
}

function toToolCall(call: Fields, inner: InnerJson): Fields {
  const target = isRecord(call['function']) ? call['function'] : {}
  const given = parseArguments(target['arguments'], inner)
  return { function: { name: target['name'], arguments: given } }
}

/**
 * Returns the names of the called tools by call id, because the runtime distinguishes results by
 * name.
 */
function toolNames(messages: readonly Fields[]): Map<unknown, unknown> {
  const names = new Map<unknown, unknown>()
  for (const message of messages) {
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isRecord) : []
    for (const call of calls)
      if (isRecord(call['function'])) names.set(call['id'], call['function']['name'])
  }
  return names
}

function toMessage(
  message: Fields,
  { names, inner }: { names: Map<unknown, unknown>; inner: InnerJson },
): Fields {
  const { content, images } = splitContent(message['content'])
  const calls = message['tool_calls']
  const thinking = message['reasoning_content']
  const toolName =
    message['role'] === 'tool' ? (message['name'] ?? names.get(message['tool_call_id'])) : undefined
  return {
    role: message['role'] === 'developer' ? 'system' : message['role'],
    content,
    ...(images.length > 0 && { images }),
    ...(Array.isArray(calls) &&
      calls.length > 0 && {
        tool_calls: calls.filter(isRecord).map((call) => toToolCall(call, inner)),
      }),
    ...(typeof thinking === 'string' && thinking !== '' && { thinking }),
    ...(typeof toolName === 'string' && { tool_name: toolName }),
  }
}

/**
 * Returns the format: `json_object` and `json_schema` of chat completions, or the runtime's own
 * `format`.
 */
function toFormat(body: Fields): unknown {
  const wanted = body['response_format']
  if (!isRecord(wanted)) return body['format']
  if (wanted['type'] === 'json_object') return 'json'
  return wanted['type'] === 'json_schema' && isRecord(wanted['json_schema'])
    ? wanted['json_schema']['schema']
    : undefined
}

/** Efforts the runtime does not know, mapped to the nearest one it knows. */
const THINKING: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' }

/** Returns whether and how hard to think: the runtime's `think`, otherwise `reasoning_effort`. */
function toThink(body: Fields): unknown {
  if (isSet(body['think'])) return body['think']
  const effort = body['reasoning_effort']
  if (typeof effort !== 'string') return undefined
  return effort === 'none' ? false : (ownValue(THINKING, effort) ?? effort)
}

/**
 * Applies the tool choice, which the runtime does not support: for `none` no tools are offered, for
 * a named tool only that one.
 */
function toTools({ tools, tool_choice: choice }: Fields): Fields[] {
  if (!Array.isArray(tools) || choice === 'none') return []
  const named = namedTool(choice)
  const offered = tools.filter(isRecord)
  return named === null
    ? offered
    : offered.filter(({ function: target }) => isRecord(target) && target['name'] === named)
}

/** Converts a chat-completions request into the local runtime's native form. */
export function toRuntimeRequest(given: Readonly<Fields>, model: string): Fields {
  const body = toPlainRequest(given)
  const messages = body['messages'] as Fields[]
  const parts = { names: toolNames(messages), inner: new InnerJson() }
  const options = toOptions(body)
  const format = toFormat(body)
  const think = toThink(body)
  const tools = toTools(body)
  return {
    model,
    messages: messages.map((message) => toMessage(message, parts)),
    stream: true,
    ...(Object.keys(options).length > 0 && { options }),
    ...(tools.length > 0 && { tools }),
    ...(isSet(format) && { format }),
    ...(body['logprobs'] === true && { logprobs: true }),
    ...(isSet(body['top_logprobs']) && { top_logprobs: body['top_logprobs'] }),
    ...(isSet(think) && { think }),
    ...(isSet(body['keep_alive']) && { keep_alive: body['keep_alive'] }),
  }
}
