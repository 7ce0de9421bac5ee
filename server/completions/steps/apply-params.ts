import { isDeepStrictEqual } from 'node:util'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import { whenReady } from '../../lib/when-ready.ts'
import type { ModelPreset } from '../../extensions/resolved-model.ts'
import type { Step } from './step.ts'
import { collectNames, NameFiller } from './template-names.ts'
import { withSystem } from './with-system.ts'

/** Parameters the gateway obeys itself; the model never sees them. */
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
 * Moves `params` into the request: the system prompt in front, sampling values beside it. Those of
 * the model's preset are what holds where `params` say nothing, and what the request says itself
 * wins over both.
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
  // With `variables` the next step fills it, once, with everything else.
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
 * What a model brings along takes the place of what another one did, as far as nobody changed that
 * meanwhile.
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
  const entries = [
    ...Object.entries(custom).map(([key, value]) => [key, parseCustom(value)] as const),
    ...Object.entries(params),
  ]
  return Object.fromEntries(entries.filter(([key, value]) => !OWN_PARAMS.has(key) && value != null))
}

/** Forms hand every custom parameter over as text; what reads as JSON is meant as such. */
function parseCustom(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
