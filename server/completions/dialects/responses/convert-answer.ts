import type { ChatCompletion } from '#contract/completions.ts'
import type { ResponsesAnswer, ResponsesRequest } from '#contract/responses.ts'
import { addressOfImage, listImages } from '../../../lib/images/image-parts.ts'
import { nowSeconds, randomHex } from '../../../lib/ids.ts'
import { isRecord, type Fields } from '../../../lib/is-record.ts'
import { ownValue } from '../../../lib/json/own-value.ts'
import { mergeDetails } from '../../../providers/index.ts'
import { sealReasoning } from './kept-reasoning.ts'
import { readTools, toArguments, toCustomInput, type OfferedTool } from './offered-tools.ts'

export type OutputItem = ResponsesAnswer['output'][number]

/** Returns an id in this format: a prefix for the kind, then letters and digits. */
export const newItemId = (
  prefix: 'resp' | 'msg' | 'fc' | 'ctc' | 'tsc' | 'rs' | 'ig' | 'call',
): string => `${prefix}_${randomHex()}`

const count = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.floor(value) : 0
const detail = (usage: Fields, group: string, name: string): number => {
  const details = usage[group]
  return count(isRecord(details) ? details[name] : 0)
}

/** Returns the token counts under the names of this format; null if the upstream reported none. */
export function toUsage(usage: Fields | null | undefined): Fields | null {
  if (!usage) return null
  const input = count(usage['prompt_tokens'] ?? usage['input_tokens'])
  const output = count(usage['completion_tokens'] ?? usage['output_tokens'])
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: detail(usage, 'prompt_tokens_details', 'cached_tokens'),
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: detail(usage, 'completion_tokens_details', 'reasoning_tokens'),
    },
    total_tokens: count(usage['total_tokens']) || input + output,
  }
}

const INCOMPLETE_REASONS: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

/** Returns how an answer ended, in the terms of this format. */
export function toEnding(
  finish: string | null,
): { readonly status: 'completed' | 'incomplete' } & Fields {
  const reason = ownValue(INCOMPLETE_REASONS, finish ?? '')
  return reason === undefined
    ? { status: 'completed' }
    : { status: 'incomplete', incomplete_details: { reason } }
}

/** Returns the status fields of an answer; without `error` in `ending` there was no error. */
export const toState = (ending: Pick<ResponsesAnswer, 'status'> & Fields) => ({
  error: null,
  incomplete_details: null,
  ...ending,
})

/** Fields that identify an answer. */
interface Birth {
  readonly id: string
  readonly created_at: number
}

export const newBirth = (): Birth => ({ id: newItemId('resp'), created_at: nowSeconds() })

/**
 * Returns the fields of an answer that stay the same from its first event to its last, and that
 * echo the request as this format does.
 */
export function toHead(
  body: ResponsesRequest,
  { id, created_at }: Birth,
): Pick<ResponsesAnswer, 'id' | 'object' | 'created_at' | 'model'> & Fields {
  return {
    id,
    object: 'response',
    created_at,
    background: false,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: body.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: {
      effort: body.reasoning?.effort ?? null,
      summary: body.reasoning?.['summary'] ?? null,
    },
    store: false,
    temperature: body.temperature ?? null,
    text: {
      format: body.text?.format ?? { type: 'text' },
      ...(body.text?.['verbosity'] != null && { verbosity: body.text['verbosity'] }),
    },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? null,
    truncation: 'disabled',
  }
}

export const toTextPart = (text: string) => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
})

export const toMessageItem = (id: string, text: string, status = 'completed'): OutputItem => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content: [toTextPart(text)],
})

/** Returns the item for a refusal. */
export const toRefusalItem = (id: string, refusal: string, status = 'completed'): OutputItem => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content: [{ type: 'refusal', refusal }],
})

/** Returns the item for an image of the model's answer, in base64. */
export const toImageItem = (
  id: string,
  result: string | null,
  status = 'completed',
): OutputItem => ({
  id,
  type: 'image_generation_call',
  status,
  result,
})

const DATA = /^data:image\/[\w.+-]+;base64,/i

/**
 * Returns the base64 data of the images of a message; images given by URL cannot be represented in
 * this format.
 */
export const resultsOf = (message: Fields): string[] =>
  listImages(message).flatMap((part) => {
    const address = addressOfImage(part) ?? ''
    const head = DATA.exec(address.slice(0, 200))
    return head ? [address.slice(head[0].length)] : []
  })

/**
 * Returns a reasoning item. `sealed` is the data the caller sends back; null if there is only the
 * text.
 */
export const toReasoningItem = (
  id: string,
  text: string,
  status = 'completed',
  sealed: string | null = null,
): OutputItem => ({
  id,
  type: 'reasoning',
  status,
  summary: [],
  encrypted_content: sealed,
  content: [{ type: 'reasoning_text', text }],
})

/**
 * Returns a reasoning item for callers that asked for a summary: the model's reasoning, in one
 * part.
 */
export const toSummaryItem = (
  id: string,
  text: string,
  status = 'completed',
  sealed: string | null = null,
): OutputItem => ({
  id,
  type: 'reasoning',
  status,
  summary: [toSummaryPart(text)],
  encrypted_content: sealed,
})

export const toSummaryPart = (text: string) => ({ type: 'summary_text', text })

export interface CallText {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export const toCallItem = (id: string, call: CallText, status = 'completed'): OutputItem => ({
  id,
  type: 'function_call',
  status,
  arguments: call.arguments,
  call_id: call.id,
  name: call.name,
})

/**
 * Returns a call in the form in which its caller defined the tool: custom tools receive their text,
 * tool searches and tools of namespaces have their own shape.
 */
export function toKnownCallItem(
  tool: OfferedTool,
  call: CallText,
  { id, status }: { id: string; status: string },
): OutputItem {
  const { name, namespace } = tool
  const place = namespace === null ? {} : { namespace }
  if (tool.kind === 'custom') {
    return {
      id,
      type: 'custom_tool_call',
      status,
      call_id: call.id,
      name,
      input: toCustomInput(call.arguments),
      ...place,
    }
  }
  if (tool.kind === 'search') {
    return {
      id,
      type: 'tool_search_call',
      status,
      call_id: call.id,
      execution: 'client',
      arguments: toArguments(call.arguments),
    }
  }
  return { ...toCallItem(id, { ...call, name }, status), ...place }
}

const ID_PREFIXES = { function: 'fc', custom: 'ctc', search: 'tsc' } as const
export const newCallItemId = ({ kind }: OfferedTool): string => newItemId(ID_PREFIXES[kind])

/** Returns true if the caller keeps reasoning and sends it back. */
export const wantsSealed = ({ include }: ResponsesRequest): boolean =>
  Array.isArray(include) && include.includes('reasoning.encrypted_content')

/**
 * Returns true if the caller reads reasoning as a summary, which agents display, instead of as raw
 * text.
 */
export const wantsSummary = ({ reasoning }: ResponsesRequest): boolean =>
  reasoning?.['summary'] != null || reasoning?.['generate_summary'] != null

/** Converts a whole answer into the responses format. */
export function toResponsesAnswer(
  completion: ChatCompletion,
  body: ResponsesRequest,
): ResponsesAnswer {
  const choice = completion.choices[0]
  const { content, reasoning_content: reasoning, tool_calls: calls = [] } = choice?.message ?? {}
  const details: Fields[] = []
  mergeDetails(details, choice?.message['reasoning_details'])
  const ending = toEnding(choice?.finish_reason ?? null)
  const tools = readTools(body)
  const makers: ((status: 'completed' | 'incomplete') => OutputItem)[] = []
  if (reasoning || details.length > 0) {
    const thoughts = { text: reasoning ?? '', details }
    const sealed =
      details.length > 0 || wantsSealed(body) ? sealReasoning(thoughts, body.model) : null
    const toItem = wantsSummary(body) ? toSummaryItem : toReasoningItem
    makers.push((status) => toItem(newItemId('rs'), thoughts.text, status, sealed))
  }
  const refusal = choice?.message['refusal']
  if (content) makers.push((status) => toMessageItem(newItemId('msg'), content, status))
  if (typeof refusal === 'string' && refusal !== '')
    makers.push((status) => toRefusalItem(newItemId('msg'), refusal, status))
  for (const result of resultsOf(choice?.message ?? {}))
    makers.push(() => toImageItem(newItemId('ig'), result))
  for (const { id, function: target } of calls) {
    const call = {
      id: id ?? newItemId('call'),
      name: target?.name ?? '',
      arguments: target?.arguments ?? '',
    }
    const tool = tools.find(call.name)
    makers.push((status) => toKnownCallItem(tool, call, { id: newCallItemId(tool), status }))
  }
  return {
    ...toHead(body, newBirth()),
    ...toState(ending),
    // An answer that was cut off is incomplete only in its last item.
    output: makers.map((make, index) =>
      make(index < makers.length - 1 ? 'completed' : ending.status),
    ),
    usage: toUsage(completion.usage),
  }
}
