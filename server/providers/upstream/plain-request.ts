import { badRequest } from '../../lib/errors.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'

const refuse = (what: string, param: string) =>
  badRequest(`This model ${what} Leave out "${param}", or choose another model.`, {
    code: 'unsupported_parameter',
    param,
  })

const records = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Throws for features that would change the answer and exist only in chat completions. */
function requirePlain({ n, modalities, tools }: Fields): void {
  if (typeof n === 'number' && n > 1) throw refuse('gives one answer at a time.', 'n')
  if (Array.isArray(modalities) && modalities.some((kind) => kind !== 'text'))
    throw refuse('answers with text only.', 'modalities')
  if (records(tools).some(({ type }) => type === 'custom'))
    throw refuse('knows tools of type "function" only.', 'tools')
}

/** Kinds of parts that other formats support; any other part with a text is reduced to it. */
const KNOWN_PARTS: ReadonlySet<unknown> = new Set([
  'text',
  'refusal',
  'image_url',
  'input_audio',
  'file',
  undefined,
])

/** Returns true if no content of a part would remain in another format. */
export const isUnknownPart = ({ type, text }: Readonly<Fields>): boolean =>
  !KNOWN_PARTS.has(type) && typeof text !== 'string'

/** Returns true for parts that one format knows beside the common ones. */
export type IsOwnPart = (part: Readonly<Fields>) => boolean

/**
 * Throws for unknown parts of a question, which would be a different question without them; in
 * earlier messages of models they may be dropped.
 */
function requireKnownParts(messages: readonly Fields[], isOwn: IsOwnPart): void {
  for (const [index, { role, content }] of messages.entries()) {
    const parts = role === 'assistant' ? [] : records(content)
    const position = parts.findIndex((part) => isUnknownPart(part) && !isOwn(part))
    if (position === -1) continue
    const place = `messages[${index}].content[${position}]`
    const kind = JSON.stringify(String(parts[position]!['type']).slice(0, 40))
    throw badRequest(
      `The part at ${place} is of the kind ${kind}, which this model does not know. Send text, pictures or files.`,
      {
        code: 'unknown_part',
        param: place,
      },
    )
  }
}

/**
 * Returns the id of a call of the legacy function format, which had no ids and one call per
 * message.
 */
const legacyId = (index: number): string => `call_function_${index}`

/** Converts a call of a custom tool into a call of a function with one text argument. */
function toFunctionCall(call: Fields): Fields {
  const { custom, type: _, ...rest } = call
  if (!isRecord(custom)) return call
  return {
    ...rest,
    type: 'function',
    function: { name: custom['name'], arguments: JSON.stringify({ input: custom['input'] ?? '' }) },
  }
}

/** Returns the message with its refusal as content. */
const withRefusal = (message: Fields): Fields =>
  message['content'] == null && typeof message['refusal'] === 'string'
    ? { ...message, content: message['refusal'] }
    : message

function toToolMessage(message: Fields, index: number): Fields {
  const { function_call: call, role } = message
  if (role === 'function')
    return {
      role: 'tool',
      tool_call_id: legacyId(index - 1),
      name: message['name'],
      content: message['content'],
    }
  const calls = message['tool_calls']
  if (Array.isArray(calls))
    return withRefusal({ ...message, tool_calls: calls.filter(isRecord).map(toFunctionCall) })
  if (!isRecord(call)) return withRefusal(message)
  const { function_call: _, ...rest } = message
  return { ...rest, tool_calls: [{ id: legacyId(index), type: 'function', function: call }] }
}

/**
 * Removes the tools a choice does not allow, because no other format can declare tools that must
 * not be called.
 */
function withAllowedTools(body: Fields): Fields {
  const choice = body['tool_choice']
  const list =
    isRecord(choice) && choice['type'] === 'allowed_tools' ? choice['allowed_tools'] : null
  if (!isRecord(list)) return body
  const allowed = new Set(records(list['tools']).map(nameOf))
  const mode = list['mode'] === 'required' ? 'required' : 'auto'
  return {
    ...body,
    tools: records(body['tools']).filter((tool) => allowed.has(nameOf(tool))),
    tool_choice: mode,
  }
}

const nameOf = ({ function: target }: Fields): unknown =>
  isRecord(target) ? target['name'] : undefined

function toToolChoice(choice: unknown): unknown {
  return isRecord(choice) ? { type: 'function', function: { name: choice['name'] } } : choice
}

/**
 * Converts a chat-completions request for providers of other formats: legacy functions become
 * tools. Throws 400 for fields that would lead to a different answer than requested.
 */
export function toPlainRequest(body: Readonly<Fields>, isOwn: IsOwnPart = () => false): Fields {
  requirePlain(body)
  requireKnownParts(records(body['messages']), isOwn)
  const { functions, function_call: choice, ...rest } = body
  const tools = records(functions).map((target) => ({ type: 'function', function: target }))
  return withAllowedTools({
    ...rest,
    messages: records(body['messages']).map(toToolMessage),
    ...(tools.length > 0 && rest['tools'] == null && { tools }),
    ...(choice != null && rest['tool_choice'] == null && { tool_choice: toToolChoice(choice) }),
  })
}

/** Returns the tool a choice names; null for a choice among all. */
export function namedTool(choice: unknown): string | null {
  const target = isRecord(choice) ? choice['function'] : null
  return isRecord(target) && typeof target['name'] === 'string' ? target['name'] : null
}
