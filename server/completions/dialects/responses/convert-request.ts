import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { ResponsesRequest } from '#contract/responses.ts'
import { badRequest } from '../../../lib/errors.ts'
import { InnerJson } from '../../../lib/json/inner-json.ts'
import { isRecord, type Fields } from '../../../lib/is-record.ts'
import { ownValue } from '../../../lib/json/own-value.ts'
import { openReasoning, type KeptReasoning } from './kept-reasoning.ts'
import { readTools, SEARCH_NAME, type OfferedTools } from './offered-tools.ts'

type ChatMessage = ChatCompletionRequest['messages'][number]

const ROLES = new Set(['user', 'assistant', 'system', 'developer'])

/** Fields that have the same name in both formats. */
const SAME_FIELDS = [
  'parallel_tool_calls',
  'user',
  'service_tier',
  'prompt_cache_key',
  'safety_identifier',
] as const

/**
 * Calls of tools that agents run themselves and only the vendor's models know, and the field that
 * holds the action.
 */
const ACTIONS: Readonly<Record<string, string>> = {
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
}
const RESULTS = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
])

/** Throws 400 for features that would require stored answers. */
function refuseStored(body: ResponsesRequest): void {
  if (body.previous_response_id) {
    throw badRequest(
      'Answers are not stored here, so previous_response_id cannot be used. Send the whole conversation as input.',
      {
        code: 'previous_response_not_found',
        param: 'previous_response_id',
      },
    )
  }
  if (body.background) {
    throw badRequest(
      'Answers in the background are not supported. Leave out "background", or use "stream".',
      { param: 'background' },
    )
  }
  for (const name of ['conversation', 'prompt'] as const) {
    if (body[name] == null) continue
    throw badRequest(
      `Nothing is stored here, so "${name}" cannot be used. Send the whole conversation as input.`,
      { param: name },
    )
  }
}

/**
 * Converts a request of the responses API into the internal format. Nothing is stored, so features
 * that require a stored answer are rejected; tools that only the vendor itself can run, and their
 * results, are left out.
 */
export function toChatRequest(
  body: ResponsesRequest,
  { canReason }: { canReason: boolean },
): ChatCompletionRequest {
  refuseStored(body)
  const format = toFormat(body.text?.format)
  const tools = readTools(body)
  const messages = new Conversation({ tools, model: body.model, canReason }).read(body.input)
  if (body.instructions) messages.unshift({ role: 'system', content: body.instructions })
  const verbosity = body.text?.['verbosity']
  return {
    model: body.model,
    messages,
    ...(body.stream != null && { stream: body.stream }),
    ...(body.temperature != null && { temperature: body.temperature }),
    ...(body.top_p != null && { top_p: body.top_p }),
    ...(body.max_output_tokens != null && { max_tokens: body.max_output_tokens }),
    ...(body.reasoning?.effort && { reasoning_effort: body.reasoning.effort }),
    ...(verbosity != null && { verbosity }),
    ...Object.fromEntries(
      SAME_FIELDS.filter((name) => body[name] != null).map((name) => [name, body[name]]),
    ),
    ...(format && { response_format: format }),
    ...toTools(body, tools),
  }
}

interface Reading {
  readonly tools: OfferedTools
  readonly model: string
  readonly canReason: boolean
}

/**
 * Converts the messages of an input, item by item. All calls of one turn belong to one message,
 * together with the text before them.
 */
class Conversation {
  readonly #about: Reading
  readonly #inner = new InnerJson()
  readonly #messages: ChatMessage[] = []
  /** Reasoning that belongs to the model's next message. */
  #thoughts: KeptReasoning | null = null

  constructor(about: Reading) {
    this.#about = about
  }

  read(input: ResponsesRequest['input']): ChatMessage[] {
    if (typeof input === 'string') return [{ role: 'user', content: input }]
    for (const [index, item] of input.entries()) this.#readItem(item, `input[${index}]`)
    this.#keepThoughts(this.#lastAnswer())
    return this.#messages
  }

  #readItem(item: Fields, place: string): void {
    const { type } = item
    if (type == null || type === 'message') return this.#addMessage(toMessage(item, place))
    if (type === 'reasoning') return this.#addThoughts(item)
    if (type === 'item_reference') {
      throw badRequest(
        `Nothing is stored here, so the item_reference at ${place} cannot be followed. Send the item itself.`,
        {
          code: 'item_not_found',
          param: place,
        },
      )
    }
    const call = toCall(item, this.#about.tools)
    if (call) return this.#addCall(call)
    const result = toResult(item, place)
    if (result) this.#addMessage(result)
  }

  #addMessage(message: ChatMessage): void {
    if (message.role === 'assistant') this.#keepThoughts(message)
    else this.#keepThoughts(this.#lastAnswer())
    this.#messages.push(message)
  }

  #addCall(call: Fields): void {
    const last = this.#lastAnswer()
    const message = last ?? { role: 'assistant', content: null }
    message['tool_calls'] = [...((message['tool_calls'] as Fields[] | undefined) ?? []), call]
    this.#keepThoughts(message)
    if (!last) this.#messages.push(message)
  }

  #lastAnswer(): ChatMessage | null {
    const last = this.#messages.at(-1)
    return last?.role === 'assistant' ? last : null
  }

  #addThoughts({ encrypted_content: sealed, content, summary }: Fields): void {
    const { model, canReason } = this.#about
    const known = openReasoning(sealed, model, this.#inner)
    const open = joinTexts(content)
    // A provider that returned plain reasoning accepts it back; summaries of other providers are
    // sent only to models known to reason.
    const text = known?.text || open || (canReason ? joinTexts(summary) : '')
    const before = this.#thoughts
    this.#thoughts = {
      text: [before?.text, text].filter(Boolean).join('\n'),
      details: [...(before?.details ?? []), ...(known?.details ?? [])],
    }
  }

  #keepThoughts(message: ChatMessage | null): void {
    const thoughts = this.#thoughts
    this.#thoughts = null
    if (!thoughts || !message) return
    if (thoughts.text !== '') message['reasoning_content'] = thoughts.text
    if (thoughts.details.length > 0) message['reasoning_details'] = thoughts.details
  }
}

const joinTexts = (parts: unknown): string =>
  (Array.isArray(parts) ? parts.filter(isRecord) : [])
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n')

function toMessage({ role, content }: Fields, place: string): ChatMessage {
  if (typeof role !== 'string' || !ROLES.has(role)) {
    throw badRequest('A message of the input needs the role "user", "assistant" or "system".', {
      param: place,
    })
  }
  return { role, content: toContent(content, `${place}.content`) }
}

const toFunctionCall = (id: string, name: string, given: unknown): Fields => ({
  id,
  type: 'function',
  function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) },
})

/** Converts an item that is a call of a tool the caller runs; returns null for all other items. */
function toCall(item: Fields, tools: OfferedTools): Fields | null {
  const { type, call_id: id, name, namespace } = item
  if (type === 'function_call' || type === 'custom_tool_call') {
    if (typeof id !== 'string' || typeof name !== 'string')
      throw badRequest(`A ${type} of the input needs a call_id and a name.`)
    const given =
      type === 'function_call' ? item['arguments'] : JSON.stringify({ input: item['input'] ?? '' })
    return toFunctionCall(id, tools.toCalledName(name, namespace), given)
  }
  if (typeof id !== 'string') return null
  if (type === 'tool_search_call') return toFunctionCall(id, SEARCH_NAME, item['arguments'])
  const action = ownValue(ACTIONS, String(type))
  return action === undefined
    ? null
    : toFunctionCall(id, String(type).replace(/_call$/, ''), item[action])
}

/** Converts an item that is the result of such a call; returns null for all other items. */
function toResult(item: Fields, place: string): ChatMessage | null {
  const type = String(item['type'])
  if (type === 'tool_search_output')
    return toToolMessage(item['call_id'], describeFound(item['tools']))
  if (!RESULTS.has(type)) return null
  const { output } = item
  const id = item['call_id'] ?? item['id']
  if (typeof id !== 'string')
    throw badRequest(`A ${type} of the input needs the call_id of its call.`)
  const isContent =
    typeof output === 'string' ||
    type === 'function_call_output' ||
    type === 'custom_tool_call_output'
  return toToolMessage(
    id,
    isContent
      ? toContent(output, `${place}.output`)
      : JSON.stringify(output ?? item['status'] ?? null),
  )
}

const toToolMessage = (id: unknown, content: string | Fields[]): ChatMessage | null =>
  typeof id === 'string' ? { role: 'tool', tool_call_id: id, content } : null

/** Describes the found tools in text; the tools themselves are offered with the others. */
function describeFound(tools: unknown): string {
  const names = (Array.isArray(tools) ? tools.filter(isRecord) : []).map(({ name, type }) =>
    String(name ?? type),
  )
  return names.length === 0
    ? 'No tools were found.'
    : `These tools can be called now: ${names.join(', ')}`
}

/** Returns text as a string, or parts if there are images and files. */
function toContent(content: unknown, place: string): string | Fields[] {
  if (typeof content === 'string') return content
  const parts = (Array.isArray(content) ? content.filter(isRecord) : []).flatMap((part, index) =>
    toPart(part, `${place}[${index}]`),
  )
  return parts.every(({ type }) => type === 'text')
    ? parts.map(({ text }) => text).join('\n')
    : parts
}

/**
 * Converts a file part. Other kinds are rejected by name, because the question would be a different
 * one without them.
 */
function toFile(
  { file_data: data, file_url: url, file_id: id, filename }: Fields,
  place: string,
): Fields {
  const file = { filename, file_data: data, file_url: url, file_id: id }
  const given = Object.entries(file).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  )
  if (given.some(([name]) => name !== 'filename'))
    return { type: 'file', file: Object.fromEntries(given) }
  throw badRequest(`The input_file at ${place} holds no file. Send its content as file_data.`, {
    code: 'document_unreadable',
    param: place,
  })
}

function toPart(part: Fields, place: string): Fields[] {
  if (typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }]
  if (typeof part['refusal'] === 'string') return [{ type: 'text', text: part['refusal'] }]
  if (part['type'] === 'input_file') return [toFile(part, place)]
  if (part['type'] === 'input_audio')
    return [{ type: 'input_audio', input_audio: part['input_audio'] }]
  if (part['type'] !== 'input_image') {
    throw badRequest(
      `The part at ${place} is of a kind that is not known here. Use "input_text", "input_image" or "input_file".`,
      {
        code: 'unknown_part',
        param: place,
      },
    )
  }
  const { image_url: url, detail } = part
  if (typeof url !== 'string')
    throw badRequest(
      'An input_image needs an image_url, which may be a data URI. Uploaded files are not known here.',
    )
  return [{ type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } }]
}

/** Returns the tools and the tool choice; with a list of allowed tools the others are left out. */
function toTools({ tool_choice: choice }: ResponsesRequest, tools: OfferedTools): Fields {
  const named = ({ name, namespace }: Fields): string =>
    tools.toCalledName(typeof name === 'string' ? name : SEARCH_NAME, namespace)
  const isList = isRecord(choice) && choice.type === 'allowed_tools'
  const allowed =
    isList && Array.isArray(choice['tools'])
      ? new Set(choice['tools'].filter(isRecord).map(named))
      : null
  const definitions = tools.definitions.filter(
    (tool) => !allowed || allowed.has(String((tool['function'] as Fields)['name'])),
  )
  if (definitions.length === 0) return {}
  const wanted = toToolChoice(
    isList ? (choice['mode'] === 'required' ? 'required' : 'auto') : choice,
    named,
  )
  return { tools: definitions, ...(wanted !== undefined && { tool_choice: wanted }) }
}

function toToolChoice(
  choice: ResponsesRequest['tool_choice'],
  named: (tool: Fields) => string,
): unknown {
  if (choice == null || typeof choice === 'string') return choice ?? undefined
  return choice.type === 'function' || choice.type === 'custom'
    ? { type: 'function', function: { name: named(choice) } }
    : undefined
}

function toFormat(format: Fields | null | undefined): Fields | null {
  if (!format || format['type'] === 'text') return null
  const { type, name, schema, strict, description } = format
  if (type !== 'json_schema') return { type }
  return {
    type,
    json_schema: {
      name: name ?? 'answer',
      schema,
      ...(strict != null && { strict }),
      ...(description != null && { description }),
    },
  }
}
