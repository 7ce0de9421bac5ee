import { badRequest } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'

type Fields = Record<string, unknown>

const refuse = (what: string, param: string) =>
  badRequest(`This model ${what} Leave out "${param}", or choose another model.`, { code: 'unsupported_parameter', param })

const records = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Refuses what would change the answer and has no counterpart outside of chat completions. */
function requirePlain({ n, modalities, tools }: Fields): void {
  if (typeof n === 'number' && n > 1) throw refuse('gives one answer at a time.', 'n')
  if (Array.isArray(modalities) && modalities.some((kind) => kind !== 'text')) throw refuse('answers with text only.', 'modalities')
  if (records(tools).some(({ type }) => type === 'custom')) throw refuse('knows tools of type "function" only.', 'tools')
}

/** Id of a call of the format before tools, which had none and one call a message. */
const legacyId = (index: number): string => `call_function_${index}`

/** What a model said instead of an answer is what it said. */
const withRefusal = (message: Fields): Fields =>
  message['content'] == null && typeof message['refusal'] === 'string' ? { ...message, content: message['refusal'] } : message

function toToolMessage(message: Fields, index: number): Fields {
  const { function_call: call, role } = message
  if (role === 'function') return { role: 'tool', tool_call_id: legacyId(index - 1), name: message['name'], content: message['content'] }
  if (!isRecord(call) || message['tool_calls'] != null) return withRefusal(message)
  const { function_call: _, ...rest } = message
  return { ...rest, tool_calls: [{ id: legacyId(index), type: 'function', function: call }] }
}

function toToolChoice(choice: unknown): unknown {
  return isRecord(choice) ? { type: 'function', function: { name: choice['name'] } } : choice
}

/**
 * A chat-completions request for providers of other formats: functions of the format before tools as tools. 400 for what
 * would give another answer than the one asked for.
 */
export function toPlainRequest(body: Readonly<Fields>): Fields {
  requirePlain(body)
  const { functions, function_call: choice, ...rest } = body
  const tools = records(functions).map((target) => ({ type: 'function', function: target }))
  return {
    ...rest,
    messages: records(body['messages']).map(toToolMessage),
    ...(tools.length > 0 && rest['tools'] == null && { tools }),
    ...(choice != null && rest['tool_choice'] == null && { tool_choice: toToolChoice(choice) }),
  }
}

/** The tool a choice names; null for a choice among all. */
export function namedTool(choice: unknown): string | null {
  const target = isRecord(choice) ? choice['function'] : null
  return isRecord(target) && typeof target['name'] === 'string' ? target['name'] : null
}
