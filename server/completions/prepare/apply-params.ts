import { isDeepStrictEqual } from 'node:util'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { InnerJson } from '../../lib/json/inner-json.ts'
import { isRecord } from '../../lib/is-record.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { ModelPreset } from '../../extensions/resolved-model.ts'
import type { Step } from './step.ts'
import { collectNames, NameFiller } from './template-names.ts'
import { withSystem } from './with-system.ts'

/** Parameters applied by the gateway itself; the model never sees them. */
const OWN_PARAMS = new Set([
  'system',
  'custom_params',
  'function_calling',
  'stream_response',
  'stream_delta_chunk_size',
  'reasoning_tags',
  'model',
  'messages',
  'stream',
])

/**
 * Moves `params` into the request: the system prompt first, sampling values as fields. Values of
 * the model's preset apply where `params` has none, and fields of the request itself override both.
 */
export const applyParams: Step = (parts, exchange, request) => {
  const { preset } = exchange.resolved
  if (!request.params && !preset) return request
  const params = request.params ?? {}
  const sampling = { ...toSampling(preset?.params ?? {}), ...toSampling(params) }
  const { system } = params
  const hasSystem = typeof system === 'string' && system !== ''
  if (!hasSystem && Object.keys(sampling).length === 0) return request
  if (!hasSystem) return { ...sampling, ...request } as ChatCompletionRequest
  // With `variables`, the next step fills it once, together with everything else.
  const filled = request.variables
    ? system
    : whenReady(collectNames(parts, exchange, {}), (names) => new NameFiller(names).fill(system))
  return whenReady(
    filled,
    (text) =>
      ({
        ...sampling,
        ...request,
        messages: withSystem(request.messages, text),
      }) as ChatCompletionRequest,
  )
}

/**
 * Replaces the preset values of one model by those of another, unless they were changed meanwhile.
 */
export function exchangePresets(
  request: ChatCompletionRequest,
  {
    sent,
    before,
    after,
  }: { sent: ChatCompletionRequest; before: ModelPreset | null; after: ModelPreset | null },
): ChatCompletionRequest {
  const own = new Set(Object.keys({ ...sent, ...toSampling(sent.params ?? {}) }))
  const brought = toSampling(before?.params ?? {})
  const isBrought = ([name, value]: [string, unknown]) =>
    !own.has(name) && isDeepStrictEqual(value, brought[name])
  const kept = Object.entries(request).filter(
    (entry) => !Object.hasOwn(brought, entry[0]) || !isBrought(entry),
  )
  return {
    ...toSampling(after?.params ?? {}),
    ...Object.fromEntries(kept),
  } as ChatCompletionRequest
}

function toSampling(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const custom = isRecord(params['custom_params']) ? params['custom_params'] : {}
  const inner = new InnerJson()
  const entries = [
    ...Object.entries(custom).map(([key, value]) => [key, parseCustom(value, inner)] as const),
    ...Object.entries(params),
  ]
  return Object.fromEntries(entries.filter(([key, value]) => !OWN_PARAMS.has(key) && value != null))
}

/** Parses a custom parameter. Forms send each one as text; valid JSON is interpreted as such. */
function parseCustom(value: unknown, inner: InnerJson): unknown {
  return typeof value === 'string' ? (inner.read(value) ?? { value }).value : value
}
