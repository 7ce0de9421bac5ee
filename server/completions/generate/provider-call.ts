import type { ChatCompletionRequest } from '#contract/completions.ts'
import { stripGatewayFields, type CompletionCall } from '../../providers/index.ts'
import type { Exchange } from '../exchange.ts'

/** Converts a prepared request into a provider call. */
export function toProviderCall(
  exchange: Exchange,
  request: ChatCompletionRequest,
  onWait?: CompletionCall['onWait'],
): CompletionCall {
  const { resolved, signal, notes, readAsText } = exchange
  return {
    model: resolved.model.id,
    body: stripGatewayFields(request),
    signal,
    origin: exchange,
    notes,
    ...(onWait && { onWait }),
    ...(readAsText && { withoutDocuments: () => readAsText(request.messages) }),
  }
}
