/** Families that reason by themselves: the o series, and GPT from 5 on. They refuse two things older ones expect. */
const REASONING = /^(?:o\d{1,2}(?:-|$)|gpt-(?:[5-9]|[1-9]\d)(?:\D|$))/i
/** The first of them, which know no instructions at all. */
const WITHOUT_INSTRUCTIONS = /^o1-(?:mini|preview)/i

type Body = Readonly<Record<string, unknown>>

const isSystem = (message: unknown): message is Record<string, unknown> => (message as { role?: unknown } | null)?.role === 'system'

/**
 * A request as the family of its model takes it: `max_tokens` has another name there, and the system another role. The same
 * object when there is nothing to change.
 */
export function adaptRequest<Request extends Body>(model: string, request: Request): Request {
  if (!REASONING.test(model)) return request
  const messages = Array.isArray(request['messages']) ? (request['messages'] as unknown[]) : []
  const hasLimit = request['max_tokens'] !== undefined && request['max_tokens'] !== null
  if (!hasLimit && !messages.some(isSystem)) return request
  const { max_tokens: limit, ...rest } = request
  const role = WITHOUT_INSTRUCTIONS.test(model) ? 'user' : 'developer'
  return {
    ...rest,
    ...(hasLimit && { max_completion_tokens: request['max_completion_tokens'] ?? limit }),
    ...(messages.length > 0 && { messages: messages.map((message) => (isSystem(message) ? { ...message, role } : message)) }),
  } as unknown as Request
}
