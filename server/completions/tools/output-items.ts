import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'

type Messages = ChatCompletionRequest['messages']

/**
 * One item of an answer, in order of arrival (docs/wire-format.md); stored with the message as
 * `output`.
 */
export type OutputItem =
  | {
      readonly type: 'reasoning'
      readonly status: 'completed'
      readonly content: readonly [{ readonly type: 'output_text'; readonly text: string }]
      readonly summary: null
      /** Duration in seconds. */
      readonly duration: number
    }
  | {
      readonly type: 'message'
      readonly role: 'assistant'
      readonly status: 'completed'
      readonly content: readonly [{ readonly type: 'output_text'; readonly text: string }]
    }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly call_id: string
      readonly name: string
      /** Arguments as JSON text, as the model wrote it. */
      readonly arguments: string
      readonly status: 'completed'
    }
  | {
      readonly type: 'function_call_output'
      readonly id: string
      readonly call_id: string
      readonly output: readonly [{ readonly type: 'input_text'; readonly text: string }]
      readonly files?: readonly unknown[]
      readonly embeds?: readonly string[]
      readonly status: 'completed' | 'incomplete'
    }
  | {
      readonly type: 'code_interpreter'
      readonly id: string
      readonly code: string
      readonly lang: 'python'
      readonly output: string
      readonly status: 'completed'
    }

export const toTextItem = (text: string): OutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
})

/** Returns the items of an answer, with its reasoning before the `parts` produced by its tools. */
export function toOutput(
  {
    content,
    reasoning,
    reasoningSeconds,
  }: { content: string; reasoning: string; reasoningSeconds: number | null },
  parts: readonly OutputItem[],
): readonly OutputItem[] {
  const texts = parts.length > 0 || content === '' ? parts : [toTextItem(content)]
  if (reasoning === '') return texts
  const thoughts = [{ type: 'output_text', text: reasoning }] as const
  return [
    {
      type: 'reasoning',
      status: 'completed',
      content: thoughts,
      summary: null,
      duration: reasoningSeconds ?? 0,
    },
    ...texts,
  ]
}

export const firstText = (value: unknown): string => {
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return isRecord(first) && typeof first['text'] === 'string' ? first['text'] : ''
}

/**
 * Returns the messages that a stored answer with tools stands for, so that a model sees its own
 * calls and their results again. Clients may have written the list, so calls without a result and
 * results without a call are left out: upstreams reject both.
 */
export function toMessages(output: readonly unknown[]): Messages {
  const items = output.filter(isRecord)
  const answered = new Set(
    items.filter(({ type }) => type === 'function_call_output').map((item) => item['call_id']),
  )
  const messages: Messages = []
  const called = new Set<unknown>()
  for (const item of items) {
    const callId = item['call_id']
    if (item['type'] === 'message') addText(messages, firstText(item['content']))
    else if (item['type'] === 'function_call' && answered.has(callId) && !called.has(callId)) {
      called.add(callId)
      addCall(messages, item)
    } else if (item['type'] === 'code_interpreter') addRun(messages, item)
    else if (item['type'] === 'function_call_output' && called.delete(callId)) {
      messages.push({ role: 'tool', tool_call_id: callId, content: firstText(item['output']) })
    }
  }
  return messages
}

function addText(messages: Messages, text: string): void {
  if (text !== '') messages.push({ role: 'assistant', content: text })
}

/** Adds code as the model wrote it, followed by its result. */
function addRun(messages: Messages, { code, output }: Readonly<Record<string, unknown>>): void {
  if (typeof code !== 'string' || typeof output !== 'string') return
  const block = `<code_interpreter type="code" lang="python">\n${code}\n</code_interpreter>`
  const last = messages.at(-1)
  if (last?.role === 'assistant' && typeof last['content'] === 'string')
    messages[messages.length - 1] = { ...last, content: last['content'] + block }
  else messages.push({ role: 'assistant', content: block })
  messages.push({ role: 'user', content: toReply(output) })
}

/** Returns the result of code as a message for the model. */
export const toReply = (output: string): string =>
  `The code was run. This came of it:\n\n${output}\n\nGo on from there.`

/** Adds a call. Calls of one round share a message, after the text that led to them. */
function addCall(
  messages: Messages,
  { call_id: id, name, arguments: args }: Readonly<Record<string, unknown>>,
): void {
  const call = {
    id,
    type: 'function',
    function: { name: String(name), arguments: typeof args === 'string' ? args : '{}' },
  }
  const last = messages.at(-1)
  if (last?.role !== 'assistant') {
    messages.push({ role: 'assistant', content: '', tool_calls: [call] })
    return
  }
  const calls = Array.isArray(last['tool_calls']) ? (last['tool_calls'] as unknown[]) : []
  messages[messages.length - 1] = { ...last, tool_calls: [...calls, call] }
}
