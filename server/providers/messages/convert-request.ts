import { badRequest } from '../../lib/errors.ts'
import { InnerJson } from '../../lib/json/inner-json.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import { namedTool, toPlainRequest } from '../upstream/plain-request.ts'
import { isOwnPart, toOwnBlock } from './own-blocks.ts'
import { isAdaptiveThinking, isChosenThinking, toSealedBlocks } from './sealed-thoughts.ts'

/** Limit used if the caller sets none, because the format requires one. */
const DEFAULT_MAX_TOKENS = 8192
const THINKING_BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_000,
}
const ANSWER_TOKENS = 4096

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function toImage(url: string): Fields {
  const match = /^data:([^;,]{1,100});base64,(.*)$/s.exec(url)
  return {
    type: 'image',
    source: match ? { type: 'base64', media_type: match[1], data: match[2] } : { type: 'url', url },
  }
}

/** Converts a document into this format. */
function toDocument(file: Fields): Fields {
  const { filename, file_data: data, file_url: url } = file
  const match =
    typeof data === 'string' ? /^data:([^;,]{1,100})(?:;[^,;]{1,200}){0,4},(.*)$/s.exec(data) : null
  const source = match
    ? { type: 'base64', media_type: match[1], data: match[2] }
    : typeof data === 'string'
      ? { type: 'base64', media_type: 'application/pdf', data }
      : { type: 'url', url }
  return { type: 'document', source, ...(typeof filename === 'string' && { title: filename }) }
}

function toBlock(part: Fields): Fields[] {
  const own = toOwnBlock(part)
  if (own) return [own]
  const said = part['text'] ?? part['refusal']
  const mark = isRecord(part['cache_control']) ? { cache_control: part['cache_control'] } : {}
  if (typeof said === 'string') return said === '' ? [] : [{ type: 'text', text: said, ...mark }]
  if (part['type'] === 'file' && isRecord(part['file'])) return [toDocument(part['file'])]
  if (part['type'] === 'input_audio') {
    throw badRequest(
      'The model of this provider takes no sound (a part of type "input_audio"). Send the words as text.',
      {
        code: 'unsupported_part',
        param: 'messages',
      },
    )
  }
  const image = part['image_url']
  const url = isRecord(image) ? image['url'] : image
  return typeof url === 'string' ? [toImage(url)] : []
}

function toBlocks(content: unknown): Fields[] {
  if (typeof content === 'string') return toBlock({ text: content })
  return Array.isArray(content) ? content.filter(isRecord).flatMap(toBlock) : []
}

function parseInput(text: unknown, inner: InnerJson): Fields {
  if (typeof text !== 'string' || text.trim() === '') return isRecord(text) ? text : {}
  const { value } = inner.read(text) ?? { value: text }
  return isRecord(value) ? value : { input: value }
}

function toToolUse(call: Fields, inner: InnerJson): Fields {
  const target = isRecord(call['function']) ? call['function'] : {}
  return {
    type: 'tool_use',
    id: call['id'],
    name: target['name'],
    input: parseInput(target['arguments'], inner),
  }
}

function toTurn(
  message: Fields,
  inner: InnerJson,
): { role: 'user' | 'assistant'; content: Fields[] } {
  const { role, content, tool_calls: calls } = message
  if (role === 'tool') {
    return {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: message['tool_call_id'], content: toBlocks(content) },
      ],
    }
  }
  const uses = Array.isArray(calls)
    ? calls.filter(isRecord).map((call) => toToolUse(call, inner))
    : []
  const thoughts = role === 'assistant' ? toSealedBlocks(message['reasoning_details']) : []
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    content: [...thoughts, ...toBlocks(content), ...uses],
  }
}

const isSystem = ({ role }: Fields): boolean => role === 'system' || role === 'developer'

/**
 * Returns turns of alternating roles, as the format requires: tool results and further user content
 * form one turn.
 */
function toTurns(messages: readonly Fields[]): Fields[] {
  const turns: { role: string; content: Fields[] }[] = []
  const inner = new InnerJson()
  for (const message of messages.filter((each) => !isSystem(each))) {
    const { role, content } = toTurn(message, inner)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  return turns
}

function toTools(body: Fields): Fields {
  const tools = Array.isArray(body['tools']) ? body['tools'].filter(isRecord) : []
  const choice = body['tool_choice']
  if (tools.length === 0) return {}
  const isAlone = body['parallel_tool_calls'] === false
  // With the choice `none` the tools are still sent, because the conversation may contain calls of
  // them.
  const wanted =
    choice === 'none'
      ? { type: 'none' }
      : choice === 'required'
        ? { type: 'any' }
        : toNamedChoice(choice)
  return {
    tools: tools.map((tool) => {
      const { name, description, parameters, strict } = isRecord(tool['function'])
        ? tool['function']
        : {}
      return {
        name,
        ...(isSet(description) && { description }),
        input_schema: parameters ?? { type: 'object', properties: {} },
        ...(strict === true && { strict }),
        ...(isRecord(tool['cache_control']) && { cache_control: tool['cache_control'] }),
      }
    }),
    ...((isSet(choice) || isAlone) && {
      tool_choice: {
        ...wanted,
        ...(isAlone && choice !== 'none' && { disable_parallel_tool_use: true }),
      },
    }),
  }
}

function toNamedChoice(choice: unknown): Fields {
  const name = namedTool(choice)
  return name === null ? { type: 'auto' } : { type: 'tool', name }
}

/**
 * Returns the sampling and thinking fields: an upstream that thinks accepts no temperature, and its
 * limit includes the thinking.
 */
function toSampling(body: Fields, turns: readonly Fields[]): Fields {
  const named = body['max_completion_tokens'] ?? body['max_tokens']
  const limit = Number(named ?? DEFAULT_MAX_TOKENS)
  const { thinking: asked } = body
  if (isAdaptiveThinking(asked)) return { max_tokens: limit, thinking: asked }
  const chosen = isChosenThinking(asked) ? asked : null
  const budget =
    chosen === null
      ? ownValue(THINKING_BUDGETS, String(body['reasoning_effort']))
      : Number(chosen['budget_tokens'] ?? 0)
  if (budget !== undefined && budget > 0 && mayThink(turns)) {
    const least = budget + ANSWER_TOKENS
    // The limit of a caller that chooses the budget counts both, as in the format of the provider.
    return {
      max_tokens: chosen !== null && isSet(named) ? limit : Math.max(limit, least),
      thinking: chosen ?? { type: 'enabled', budget_tokens: budget },
    }
  }
  const { temperature, top_p: topP, top_k: topK } = body
  return {
    max_tokens: limit,
    ...(chosen?.['type'] === 'disabled' && { thinking: chosen }),
    ...(typeof temperature === 'number' && { temperature: Math.min(1, temperature) }),
    ...(isSet(topP) && { top_p: topP }),
    ...(isSet(topK) && { top_k: topK }),
  }
}

/** Returns true unless thinking would start between a tool call and its result; it may go on. */
function mayThink(turns: readonly Fields[]): boolean {
  const isAfterTool = JSON.stringify(turns.at(-1) ?? null).includes('"tool_result"')
  return !isAfterTool || hasThoughts(turns.findLast(({ role }) => role === 'assistant'))
}

const hasThoughts = (turn: Fields | undefined): boolean =>
  Array.isArray(turn?.['content']) &&
  String((turn['content'][0] as Fields | undefined)?.['type']).endsWith('thinking')

/**
 * Returns the schema of the answer, and the effort if the model itself decides whether to think.
 */
function toOutput({ response_format: wanted, reasoning_effort: effort, thinking }: Fields): Fields {
  const isSchema =
    isRecord(wanted) && wanted['type'] === 'json_schema' && isRecord(wanted['json_schema'])
  const config = {
    ...(isSchema && {
      format: { type: 'json_schema', schema: (wanted['json_schema'] as Fields)['schema'] },
    }),
    ...(isAdaptiveThinking(thinking) &&
      typeof effort === 'string' && { effort: effort === 'minimal' ? 'low' : effort }),
  }
  return Object.keys(config).length === 0 ? {} : { output_config: config }
}

const TIERS: Readonly<Record<string, string>> = { auto: 'auto', default: 'standard_only' }

/** Returns the user id and the service tier. */
function toAccount({ user, safety_identifier: identifier, service_tier: tier }: Fields): Fields {
  const asker = identifier ?? user
  const known = ownValue(TIERS, String(tier))
  return {
    ...(typeof asker === 'string' && { metadata: { user_id: asker } }),
    ...(known !== undefined && { service_tier: known }),
  }
}

/** Converts a chat-completions request into the messages format. */
export function toMessagesRequest(given: Readonly<Fields>, model: string, stream: boolean): Fields {
  const body = toPlainRequest(given, isOwnPart)
  const messages = body['messages'] as Fields[]
  const system = messages.filter(isSystem).flatMap(({ content }) => toBlocks(content))
  const turns = toTurns(messages)
  const stop = typeof body['stop'] === 'string' ? [body['stop']] : body['stop']
  return {
    model,
    messages: turns,
    stream,
    ...(system.length > 0 && { system }),
    ...toSampling(body, turns),
    ...(Array.isArray(stop) && stop.length > 0 && { stop_sequences: stop }),
    ...toTools(body),
    ...toOutput(body),
    ...toAccount(body),
  }
}
