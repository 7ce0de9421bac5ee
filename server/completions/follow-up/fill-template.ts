import type { ChatCompletionRequest } from '#contract/completions.ts'
import { textOf } from '../message-text.ts'

type RequestMessage = ChatCompletionRequest['messages'][number]

/** Values for the placeholders of a prompt template. */
export interface TemplateValues {
  readonly messages: readonly RequestMessage[]
  /** `{{prompt}}`; defaults to the last question of the conversation. */
  readonly prompt?: string | null
  /** `{{TYPE}}`: purpose of the answer, such as web_search. */
  readonly type?: string | null
  /** `{{responses}}`: answers of several models. */
  readonly responses?: readonly string[]
  /** Placeholders available in every prompt, such as CURRENT_DATE. */
  readonly names: ReadonlyMap<string, string>
}

const PLACEHOLDER = /\{\{\s*(\w+)(?::(start|end|middletruncate):(\d{1,6}))?\s*\}\}/gi
/** Placeholders that insert the conversation or a part of it. */
const SUBJECTS = new Set(['messages', 'prompt', 'responses'])
/** Number of messages appended to a template that contains no such placeholder. */
const UNASKED = 6
const MAX_MESSAGES = 50
const MAX_MESSAGE_LENGTH = 4000
const MAX_PROMPT_LENGTH = 20_000

/**
 * Fills a prompt template. The conversation is appended to a template that contains neither it nor
 * the prompt.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  let hasSubject = false
  const filled = template.replace(
    PLACEHOLDER,
    (placeholder, name: string, part: string | undefined, count: string | undefined) => {
      const slice: Slice = { part: part?.toLowerCase() ?? 'all', count: Number(count ?? 0) }
      const value = valueOf(name, slice, values)
      hasSubject ||= SUBJECTS.has(name.toLowerCase())
      return value ?? placeholder
    },
  )
  return hasSubject
    ? filled
    : `${filled}\n\n${toTranscript(values.messages, { part: 'end', count: UNASKED })}`
}

/**
 * Returns how many of the last messages a template shows; `Infinity` if it also shows the first
 * ones. The last question belongs to `{{prompt}}` and is not counted.
 */
export function countShown(template: string): number {
  const places = [...template.matchAll(PLACEHOLDER)].map(([, name = '', part, count]) => ({
    name: name.toLowerCase(),
    part,
    count,
  }))
  const shown = places.filter(({ name }) => name === 'messages')
  if (shown.length === 0) return places.some(({ name }) => SUBJECTS.has(name)) ? 1 : UNASKED
  return Math.max(...shown.map(({ part, count }) => countOf(part?.toLowerCase(), Number(count))))
}

function countOf(part: string | undefined, count: number): number {
  if (part === undefined) return MAX_MESSAGES
  return part === 'end' ? Math.min(count, MAX_MESSAGES) : Infinity
}

/** Beginning, end or both ends of a text or conversation. */
interface Slice {
  readonly part: string
  readonly count: number
}

function valueOf(name: string, slice: Slice, values: TemplateValues): string | undefined {
  switch (name.toLowerCase()) {
    case 'messages':
      return toTranscript(values.messages, slice)
    case 'prompt':
      return cut(
        Array.from((values.prompt ?? lastQuestion(values.messages)).slice(0, MAX_PROMPT_LENGTH)),
        slice,
        ['…'],
      ).join('')
    case 'type':
      return values.type ?? ''
    case 'responses':
      return (values.responses ?? [])
        .map((response, index) => `Answer ${index + 1}:\n${response}`)
        .join('\n\n')
    default:
      return values.names.get(name)
  }
}

export const lastQuestion = (messages: readonly RequestMessage[]): string =>
  textOf(messages.findLast(({ role }) => role === 'user')?.['content'])

function toTranscript(messages: readonly RequestMessage[], slice: Slice): string {
  const shown = messages.filter(({ role }) => role === 'user' || role === 'assistant')
  return cut(shown, slice, [])
    .slice(-MAX_MESSAGES)
    .map(
      (message) =>
        `${message.role.toUpperCase()}: ${textOf(message['content']).slice(0, MAX_MESSAGE_LENGTH)}`,
    )
    .join('\n')
}

function cut<Part>(
  parts: readonly Part[],
  { part, count }: Slice,
  gap: readonly Part[],
): readonly Part[] {
  if (part === 'all' || parts.length <= count) return parts
  if (part === 'start') return parts.slice(0, count)
  if (part === 'end') return count === 0 ? [] : parts.slice(-count)
  const head = Math.ceil(count / 2)
  return [...parts.slice(0, head), ...gap, ...parts.slice(parts.length - (count - head))]
}
