import type { CallNotes, FieldRules } from '../../lib/serving/call-notes.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { noteRequest } from '../upstream/note-request.ts'
import { isOwnPart } from './own-blocks.ts'
import { isChosenThinking, toSealedBlocks } from './sealed-thoughts.ts'

/**
 * Treatment of each field of a chat-completions request by a provider of the messages API
 * (`COMPATIBILITY.md`, Fields).
 */
export const MESSAGES_RULES: FieldRules = {
  sent: new Set(['model', 'messages', 'stream', 'top_k', 'thinking']),
  translated: new Set([
    'stop',
    'temperature',
    'top_p',
    'max_tokens',
    'max_completion_tokens',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'reasoning_effort',
    'response_format',
    'stream_options',
    'user',
    'safety_identifier',
    'service_tier',
    'functions',
    'function_call',
    'n',
    'modalities',
  ]),
  ignored: {
    seed: 'no_counterpart',
    frequency_penalty: 'no_counterpart',
    presence_penalty: 'no_counterpart',
    repetition_penalty: 'no_counterpart',
    logit_bias: 'no_counterpart',
    logprobs: 'no_counterpart',
    top_logprobs: 'no_counterpart',
    audio: 'no_counterpart',
    metadata: 'no_counterpart',
    store: 'no_counterpart',
    moderation: 'no_counterpart',
    prompt_cache_key: 'no_counterpart',
    prompt_cache_options: 'no_counterpart',
    prompt_cache_retention: 'no_counterpart',
    verbosity: 'no_counterpart',
    prediction: 'no_counterpart',
    web_search_options: 'no_counterpart',
  },
}

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

const isOtherFormat = (wanted: unknown): boolean =>
  isRecord(wanted) && wanted['type'] !== 'text' && wanted['type'] !== 'json_schema'

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const isTaken = (details: unknown): boolean => toSealedBlocks(details).length > 0

/** Reasoning is sent back to a provider of this format only with its own signature. */
const hasLostThoughts = ({
  reasoning_content: thoughts,
  reasoning_details: details,
}: Fields): boolean => typeof thoughts === 'string' && thoughts !== '' && !isTaken(details)

/** Notes the treatment of the fields of a request; some fields depend on others. */
export function noteMessagesRequest(notes: CallNotes, body: Fields, converted: Fields): void {
  noteRequest(notes, body, MESSAGES_RULES, { takesDetails: isTaken, isOwn: isOwnPart })
  if (listOf(body['messages']).some(hasLostThoughts))
    notes.ignored('message.reasoning_content', 'vendor_only')
  for (const name of SAMPLING)
    if (body[name] != null && converted[name] === undefined)
      notes.ignored(name, 'not_with_thinking')
  if (body['service_tier'] != null && converted['service_tier'] === undefined)
    notes.ignored('service_tier', 'no_counterpart')
  noteThinking(notes, body, converted)
  if (isOtherFormat(body['response_format'])) notes.ignored('response_format', 'no_counterpart')
}

/** Thinking never starts between a tool call and its result, whoever asked for it. */
function noteThinking(notes: CallNotes, { thinking, ...body }: Fields, converted: Fields): void {
  const isChosen = isChosenThinking(thinking)
  if (thinking != null && converted['thinking'] !== thinking)
    notes.ignored('thinking', isChosen ? 'gateway_decides' : 'unknown')
  if (isChosen && body['reasoning_effort'] != null)
    notes.ignored('reasoning_effort', 'not_with_thinking')
}
