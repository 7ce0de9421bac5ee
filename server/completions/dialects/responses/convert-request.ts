import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { ResponsesRequest } from '#contract/responses.ts'
import { badRequest } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'

type Fields = Record<string, unknown>
type ChatMessage = ChatCompletionRequest['messages'][number]

const ROLES = new Set(['user', 'assistant', 'system', 'developer'])

/**
 * A request of the responses API in the inner language. Nothing is stored, so what would need a stored answer is refused;
 * tools that only the vendor itself can run and items of unknown kinds are left out.
 */
export function toChatRequest(body: ResponsesRequest): ChatCompletionRequest {
  if (body.previous_response_id) {
    throw badRequest('Answers are not stored here, so previous_response_id cannot be used. Send the whole conversation as input.', {
      code: 'previous_response_not_found',
    })
  }
  if (body.background) throw badRequest('Answers in the background are not supported. Leave out "background", or use "stream".')
  const format = toFormat(body.text?.format)
  const messages = toMessages(body.input)
  if (body.instructions) messages.unshift({ role: 'system', content: body.instructions })
  return {
    model: body.model,
    messages,
    ...(body.stream != null && { stream: body.stream }),
    ...(body.temperature != null && { temperature: body.temperature }),
    ...(body.top_p != null && { top_p: body.top_p }),
    ...(body.parallel_tool_calls != null && { parallel_tool_calls: body.parallel_tool_calls }),
    ...(body['user'] != null && { user: body['user'] }),
    ...(body.max_output_tokens != null && { max_tokens: body.max_output_tokens }),
    ...(body.reasoning?.effort && { reasoning_effort: body.reasoning.effort }),
    ...(format && { response_format: format }),
    ...toTools(body),
  }
}

function toMessages(input: ResponsesRequest['input']): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const messages: ChatMessage[] = []
  for (const [index, item] of input.entries()) {
    const place = `input[${index}]`
    const last = messages.at(-1)
    if (item.type === 'function_call') {
      // All calls of one turn belong to one message, and to the text that came before them.
      const call = toToolCall(item)
      if (last?.role === 'assistant') last['tool_calls'] = [...((last['tool_calls'] as Fields[] | undefined) ?? []), call]
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    } else if (item.type === 'function_call_output') messages.push(toToolResult(item, place))
    else if (item.type == null || item.type === 'message') messages.push(toMessage(item, place))
  }
  return messages
}

function toMessage({ role, content }: Fields, place: string): ChatMessage {
  if (typeof role !== 'string' || !ROLES.has(role))
    throw badRequest('A message of the input needs the role "user", "assistant" or "system".')
  return { role, content: toContent(content, `${place}.content`) }
}

function toToolCall({ call_id: id, name, arguments: given }: Fields): Fields {
  if (typeof id !== 'string' || typeof name !== 'string') throw badRequest('A function_call of the input needs a call_id and a name.')
  return { id, type: 'function', function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) } }
}

function toToolResult({ call_id: id, output }: Fields, place: string): ChatMessage {
  if (typeof id !== 'string') throw badRequest('A function_call_output of the input needs the call_id of its call.')
  return { role: 'tool', tool_call_id: id, content: toContent(output, `${place}.output`) }
}

/** Text as a string, or parts where there are images and files. */
function toContent(content: unknown, place: string): string | Fields[] {
  if (typeof content === 'string') return content
  const parts = (Array.isArray(content) ? content.filter(isRecord) : []).flatMap((part, index) => toPart(part, `${place}[${index}]`))
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('\n') : parts
}

/** Other kinds are named in the refusal, because a question without them would be another question. */
function toFile({ file_data: data, file_url: url, file_id: id, filename }: Fields, place: string): Fields {
  const file = { filename, file_data: data, file_url: url, file_id: id }
  const given = Object.entries(file).filter(([, value]) => typeof value === 'string' && value !== '')
  if (given.some(([name]) => name !== 'filename')) return { type: 'file', file: Object.fromEntries(given) }
  throw badRequest(`The input_file at ${place} holds no file. Send its content as file_data.`, {
    code: 'document_unreadable',
    param: place,
  })
}

function toPart(part: Fields, place: string): Fields[] {
  if (typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }]
  if (typeof part['refusal'] === 'string') return [{ type: 'text', text: part['refusal'] }]
  if (part['type'] === 'input_file') return [toFile(part, place)]
  if (part['type'] === 'input_audio') return [{ type: 'input_audio', input_audio: part['input_audio'] }]
  if (part['type'] !== 'input_image') {
    throw badRequest(`The part at ${place} is of a kind that is not known here. Use "input_text", "input_image" or "input_file".`, {
      code: 'unknown_part',
      param: place,
    })
  }
  const { image_url: url, detail } = part
  if (typeof url !== 'string')
    throw badRequest('An input_image needs an image_url, which may be a data URI. Uploaded files are not known here.')
  return [{ type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } }]
}

function toTools({ tools, tool_choice: choice }: ResponsesRequest): Fields {
  const functions = (tools ?? []).filter(({ type }) => type === 'function')
  if (functions.length === 0) return {}
  const wanted = toToolChoice(choice)
  return {
    tools: functions.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description != null && { description }),
        ...(parameters != null && { parameters }),
        ...(strict != null && { strict }),
      },
    })),
    ...(wanted !== undefined && { tool_choice: wanted }),
  }
}

function toToolChoice(choice: ResponsesRequest['tool_choice']): unknown {
  if (choice == null || typeof choice === 'string') return choice ?? undefined
  return choice.type === 'function' ? { type: 'function', function: { name: choice['name'] } } : undefined
}

function toFormat(format: Fields | null | undefined): Fields | null {
  if (!format || format['type'] === 'text') return null
  const { type, name, schema, strict, description } = format
  if (type !== 'json_schema') return { type }
  return {
    type,
    json_schema: { name: name ?? 'answer', schema, ...(strict != null && { strict }), ...(description != null && { description }) },
  }
}
