import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Step, StepContext } from './step.ts'

type RequestMessage = ChatCompletionRequest['messages'][number]

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g
const TEMPLATED_ROLES = new Set(['system', 'user'])

/**
 * Fills `{{NAME}}` in system and user text from `variables`, and from the built-in names the caller left out. A call
 * without `variables` is never touched, so that text about templates stays text.
 */
export const applyVariables: Step = (request, context) => {
  if (!request.variables) return request
  const values = collectValues(request.variables, context)
  const fill = (text: string) => text.replace(PLACEHOLDER, (placeholder, name: string) => values.get(name) ?? placeholder)
  return { ...request, messages: request.messages.map((message) => fillMessage(message, fill)) }
}

function collectValues(variables: Record<string, unknown>, context: StepContext): ReadonlyMap<string, string> {
  const values = builtInValues(context)
  for (const [key, value] of Object.entries(variables)) {
    if (['string', 'number', 'boolean'].includes(typeof value)) values.set(key.replace(/^\{\{\s*|\s*\}\}$/g, ''), String(value))
  }
  return values
}

function builtInValues({ caller, now }: StepContext): Map<string, string> {
  // The Swedish locale writes dates in ISO order.
  const [date = '', time = ''] = now.toLocaleString('sv-SE').split(' ')
  return new Map([
    ['CURRENT_DATE', date],
    ['CURRENT_TIME', time],
    ['CURRENT_DATETIME', `${date} ${time}`],
    ['CURRENT_WEEKDAY', now.toLocaleDateString('en-US', { weekday: 'long' })],
    ['CURRENT_TIMEZONE', Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['USER_NAME', caller.name],
    ['USER_EMAIL', caller.email],
  ])
}

function fillMessage(message: RequestMessage, fill: (text: string) => string): RequestMessage {
  if (!TEMPLATED_ROLES.has(message.role)) return message
  const { content } = message
  if (typeof content === 'string') return { ...message, content: fill(content) }
  if (!Array.isArray(content)) return message
  const parts = content.map((part: unknown) =>
    isRecord(part) && typeof part['text'] === 'string' ? { ...part, text: fill(part['text']) } : part,
  )
  return { ...message, content: parts }
}
