import type { CallNotes } from '../../lib/serving/call-notes.ts'

/**
 * Model families that reason by default: the o series, and GPT from 5 on. They reject two things
 * older models expect.
 */
const REASONING = /^(?:o\d{1,2}(?:-|$)|gpt-(?:[5-9]|[1-9]\d)(?:\D|$))/i
/** The first reasoning models, which accept no instructions at all. */
const WITHOUT_INSTRUCTIONS = /^o1-(?:mini|preview)/i

type Body = Readonly<Record<string, unknown>>

const isSystem = (message: unknown): message is Record<string, unknown> =>
  (message as { role?: unknown } | null)?.role === 'system'

const messagesOf = (request: Body): readonly unknown[] =>
  Array.isArray(request['messages']) ? (request['messages'] as unknown[]) : []
const isDeveloper = (message: unknown): message is Record<string, unknown> =>
  (message as { role?: unknown } | null)?.role === 'developer'

/**
 * Renames the `developer` role: most providers know the role of instructions only under its old
 * name, and all know that one.
 */
function withoutDevelopers<Request extends Body>(request: Request): Request {
  const messages = messagesOf(request)
  if (!messages.some(isDeveloper)) return request
  return {
    ...request,
    messages: messages.map((message) =>
      isDeveloper(message) ? { ...message, role: 'system' } : message,
    ),
  }
}

type Part = Readonly<Record<string, unknown>>
const isResult = (message: unknown): message is Record<string, unknown> & { content: Part[] } => {
  const { role, content } = (message ?? {}) as Record<string, unknown>
  return (
    role === 'tool' &&
    Array.isArray(content) &&
    (content as Part[]).some((part) => part?.['type'] !== 'text')
  )
}

const toWords = (parts: readonly Part[]): string =>
  parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('\n')

/**
 * Moves images and files out of tool results, which are text only for these providers, into a user
 * message after all results.
 */
function withoutShownResults<Request extends Body>(request: Request): Request {
  const messages = messagesOf(request)
  if (!messages.some(isResult)) return request
  const told: unknown[] = []
  let shown: unknown[] = []
  for (const message of messages) {
    const isTool = (message as { role?: unknown } | null)?.role === 'tool'
    if (!isTool && shown.length > 0) {
      told.push({ role: 'user', content: shown })
      shown = []
    }
    if (!isResult(message)) told.push(message)
    else {
      const text = toWords(message.content)
      told.push({
        ...message,
        content: text === '' ? 'The result follows in the next message.' : text,
      })
      const id = typeof message['tool_call_id'] === 'string' ? message['tool_call_id'] : ''
      shown.push(
        { type: 'text', text: `Shown by the tool call ${id}:` },
        ...message.content.filter(({ type }) => type !== 'text'),
      )
    }
  }
  if (shown.length > 0) told.push({ role: 'user', content: shown })
  return { ...request, messages: told }
}

/**
 * Adapts a request to the family of its model: `max_tokens` has another name there, and the system
 * another role. Returns the same object if there is nothing to change; otherwise the names of the
 * changed fields are noted.
 */
export function adaptRequest<Request extends Body>(
  model: string,
  given: Request,
  notes: CallNotes | null = null,
): Request {
  const request = withoutShownResults(given)
  if (request !== given) notes?.translated('message.content')
  if (!REASONING.test(model)) {
    const plain = withoutDevelopers(request)
    if (plain !== request) notes?.translated('message.role')
    return plain
  }
  const messages = messagesOf(request)
  const hasLimit = request['max_tokens'] !== undefined && request['max_tokens'] !== null
  if (!hasLimit && !messages.some(isSystem)) return request
  const { max_tokens: limit, ...rest } = request
  if (hasLimit) notes?.translated('max_tokens')
  if (messages.some(isSystem)) notes?.translated('message.role')
  const role = WITHOUT_INSTRUCTIONS.test(model) ? 'user' : 'developer'
  return {
    ...rest,
    ...(hasLimit && { max_completion_tokens: request['max_completion_tokens'] ?? limit }),
    ...(messages.length > 0 && {
      messages: messages.map((message) => (isSystem(message) ? { ...message, role } : message)),
    }),
  } as unknown as Request
}
