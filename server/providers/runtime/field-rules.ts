import type { FieldRules } from '../../lib/serving/call-notes.ts'
import { OPTION_NAMES } from './convert-request.ts'

/**
 * Treatment of each field of a chat-completions request by the local runtime (`COMPATIBILITY.md`,
 * Fields), with the runtime's own options.
 */
export const RUNTIME_RULES: FieldRules = {
  sent: new Set([
    'model',
    'messages',
    'stream',
    'options',
    'format',
    'think',
    'keep_alive',
    'logprobs',
    'top_logprobs',
  ]),
  translated: new Set([
    ...OPTION_NAMES,
    'stop',
    'max_tokens',
    'max_completion_tokens',
    'tools',
    'tool_choice',
    'reasoning_effort',
    'response_format',
    'stream_options',
    'repetition_penalty',
    'functions',
    'function_call',
    'n',
    'modalities',
  ]),
  ignored: {
    parallel_tool_calls: 'no_counterpart',
    logit_bias: 'no_counterpart',
    audio: 'no_counterpart',
    user: 'no_accounts',
    safety_identifier: 'no_accounts',
    service_tier: 'no_counterpart',
    metadata: 'not_stored',
    store: 'not_stored',
    moderation: 'not_stored',
    prompt_cache_key: 'no_counterpart',
    prompt_cache_options: 'no_counterpart',
    prompt_cache_retention: 'no_counterpart',
    verbosity: 'no_counterpart',
    prediction: 'no_counterpart',
    web_search_options: 'no_counterpart',
    thinking: 'no_counterpart',
  },
}
