import { createHash } from 'node:crypto'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { MessagesRequest } from '#contract/messages.ts'
import { badRequest } from '../../../lib/errors.ts'
import { isRecord, type Fields } from '../../../lib/is-record.ts'
import { ownValue } from '../../../lib/json/own-value.ts'
import { isAdaptiveThinking, isSealed, toSealedDetail } from '../../../providers/index.ts'
import {
  requireKnownBlocks,
  toContent,
  textOfBlocks,
  toToolResult,
  type Block,
  type BlockReading,
} from './convert-blocks.ts'

type ChatMessage = ChatCompletionRequest['messages'][number]

/** Maximum thinking budget for each effort; above the last one the effort is `high`. */
const EFFORT_BUDGETS = [
  [4096, 'low'],
  [16_384, 'medium'],
] as const
/** Maximum number of characters of a user id. */
const LONGEST_USER = 64
const EFFORTS = new Set(['minimal', 'low', 'medium', 'high'])

/**
 * Converts a request of the messages API into the internal format. Fields without a counterpart
 * there are left out (`COMPATIBILITY.md`, Fields): cache marks, tools that only the vendor itself
 * can run, and blocks that only the vendor itself can read.
 * @NOTE Reasoning is passed in both directions only for models known to reason: others reject the
 *   fields. An answer shows it as `thinking` blocks only to callers that asked for `thinking`, as the
 *   vendor's API does. Whether and how much to think may be left to the model: a provider that
 *   `speaksMessages` receives that choice, even if the model is not known to reason.
 */
export function toChatRequest(
  body: MessagesRequest,
  { canReason, speaksMessages = false }: { canReason: boolean; speaksMessages?: boolean },
): ChatCompletionRequest {
  const system = textOfBlocks(body.system)
  const tools = toTools(body)
  const isAdaptive = speaksMessages && isAdaptiveThinking(body.thinking)
  const effort = isAdaptive ? outputConfig(body)['effort'] : canReason ? toEffort(body) : undefined
  const format = toFormat(body)
  return {
    model: body.model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...body.messages.flatMap((message, index) =>
        toMessages(message, {
          canReason: canReason || isAdaptive,
          speaksMessages,
          place: `messages[${index}].content`,
        }),
      ),
    ],
    ...(body.stream != null && { stream: body.stream }),
    ...(body.max_tokens != null && { max_tokens: body.max_tokens }),
    ...(body.temperature != null && { temperature: body.temperature }),
    ...(body.top_p != null && { top_p: body.top_p }),
    ...(body['top_k'] != null && { top_k: body['top_k'] }),
    ...toAccount(body),
    ...(body.stop_sequences && body.stop_sequences.length > 0 && { stop: body.stop_sequences }),
    ...tools,
    ...(typeof effort === 'string' && { reasoning_effort: effort }),
    // Chat completions have no equivalent; a provider of this format reads the field again.
    ...(isAdaptive && { thinking: body.thinking }),
    ...(format && { response_format: format }),
  }
}

function toMessages(
  { role, content }: MessagesRequest['messages'][number],
  { canReason, ...reading }: BlockReading & { canReason: boolean },
): ChatMessage[] {
  const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (role === 'assistant') return [toAssistant(blocks, canReason)]
  if (role === 'user') return toUser(blocks, reading)
  if (role === 'system') return [{ role, content: textOfBlocks(content) }]
  throw badRequest(
    `A message has the role ${JSON.stringify(role.slice(0, 40))}. Use "user" or "assistant".`,
  )
}

/**
 * Converts a user message. Tool results come first: they have to follow the message that called the
 * tools.
 */
function toUser(blocks: readonly Block[], reading: BlockReading): ChatMessage[] {
  const { place, speaksMessages } = reading
  if (!speaksMessages) requireKnownBlocks(blocks, place)
  const results = blocks.flatMap((block, index) =>
    block['type'] === 'tool_result'
      ? [toToolResult(block, { place: `${place}[${index}]`, speaksMessages })]
      : [],
  )
  return results.length > 0 && results.length === blocks.length
    ? results
    : [...results, { role: 'user', content: toContent(blocks, reading) }]
}

function toAssistant(blocks: readonly Block[], canReason: boolean): ChatMessage {
  const text = textOfBlocks(blocks)
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toToolCall)
  const thinking = blocks
    .map((block) => (typeof block['thinking'] === 'string' ? block['thinking'] : ''))
    .join('')
  const sealed = blocks.filter(isSealed).map(toSealedDetail)
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(canReason && thinking !== '' && { reasoning_content: thinking }),
    ...(canReason && sealed.length > 0 && { reasoning_details: sealed }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toToolCall({ id, name, input }: Block): Fields {
  if (typeof id !== 'string' || typeof name !== 'string')
    throw badRequest('A tool_use block needs an id and a name.')
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }
}

/** Returns the tools and the tool choice; with the choice `none` no tools are sent to the model. */
function toTools({ tools, tool_choice: choice }: MessagesRequest): Fields {
  const usable = (tools ?? []).filter(
    ({ type, input_schema: schema }) => schema || type == null || type === 'custom',
  )
  if (usable.length === 0 || choice?.type === 'none') return {}
  const wanted = toToolChoice(choice)
  return {
    tools: usable.map(({ name, description, input_schema: schema, strict }) => ({
      type: 'function',
      function: {
        name: name ?? '',
        ...(description != null && { description }),
        parameters: schema ?? { type: 'object', properties: {} },
        ...(strict != null && { strict }),
      },
    })),
    ...(wanted !== undefined && { tool_choice: wanted }),
    ...(choice?.['disable_parallel_tool_use'] === true && { parallel_tool_calls: false }),
  }
}

function toToolChoice(choice: MessagesRequest['tool_choice']): unknown {
  switch (choice?.type) {
    case undefined:
      return undefined
    case 'auto':
      return 'auto'
    case 'any':
      return 'required'
    case 'tool':
      if (typeof choice['name'] !== 'string')
        throw badRequest('The tool_choice "tool" needs the name of a tool.')
      return { type: 'function', function: { name: choice['name'] } }
    default:
      throw badRequest('The tool_choice is not known. Use "auto", "any", "tool" or "none".')
  }
}

const TIERS: Readonly<Record<string, string>> = { auto: 'auto', standard_only: 'default' }

/** Returns the user id and the service tier. User ids may be longer than other providers accept. */
function toAccount({ metadata, service_tier: tier }: MessagesRequest): Fields {
  const id = isRecord(metadata) ? metadata['user_id'] : null
  const known = ownValue(TIERS, String(tier))
  return {
    ...(typeof id === 'string' &&
      id !== '' && {
        user: id.length <= LONGEST_USER ? id : createHash('sha256').update(id).digest('hex'),
      }),
    ...(known !== undefined && { service_tier: known }),
  }
}

const outputConfig = (body: MessagesRequest): Fields =>
  isRecord(body['output_config']) ? body['output_config'] : {}

function toEffort(body: MessagesRequest): string | undefined {
  const wanted = outputConfig(body)['effort']
  if (typeof wanted === 'string') return EFFORTS.has(wanted) ? wanted : 'high'
  if (body.thinking?.type !== 'enabled') return undefined
  const budget = Number(body.thinking['budget_tokens'] ?? 0)
  return EFFORT_BUDGETS.find(([limit]) => budget <= limit)?.[1] ?? 'high'
}

function toFormat(body: MessagesRequest): Fields | null {
  const format = outputConfig(body)['format'] ?? body['output_format']
  if (!isRecord(format) || format['type'] !== 'json_schema' || !isRecord(format['schema']))
    return null
  return {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: format['schema'], strict: true },
  }
}
