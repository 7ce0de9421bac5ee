import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { responsesEndpoints } from '#contract/responses.ts'
import { ServiceError } from '../../../lib/errors.ts'
import type { HttpCall } from '../../../lib/http.ts'
import type { ResolvedModel } from '../../../extensions/resolved-model.ts'
import { meantPlace } from '../../../models/index.ts'
import { rewriteModel } from '../../../providers/index.ts'
import { isPlain, type Prepared } from '../../prepare/prepare-stateless.ts'
import { canReason } from '../can-reason.ts'
import { sendDialectStream } from '../dialect-stream.ts'
import { completeStateless } from '../../deliver/collect-answer.ts'
import { streamCall, toSourcesField, type DialectParts } from '../stateless-call.ts'
import { toResponsesAnswer } from './convert-answer.ts'
import { toChatRequest } from './convert-request.ts'
import { noteResponsesDialect } from './note-request.ts'
import { ResponsesStream } from './stream-events.ts'

export type ResponsesCall = HttpCall<typeof responsesEndpoints.create>

/**
 * Answers a call in the responses format: by the provider itself if it speaks the format and no
 * feature of the gateway takes part, otherwise through chat completions. A disconnect of the caller
 * cancels the upstream request.
 */
export async function answerResponses(parts: DialectParts, call: ResponsesCall): Promise<unknown> {
  const { body, caller, signal, notes } = call
  const resolved = await parts.models.resolve(caller, body.model, meantPlace(call))
  const { request: converted, fault } = convert(body, resolved)
  // A provider that speaks the format opens addresses of documents itself.
  const keepsLinkedDocuments = resolved.provider.responses?.isWorthAsking() === true
  let prepared: Prepared | null = null
  try {
    const preparing = parts.prepare(converted, {
      caller,
      resolved,
      signal,
      notes,
      headers: call.request.headers,
      keepsLinkedDocuments,
    })
    prepared = preparing instanceof Promise ? await preparing : preparing
    if (
      prepared.request === converted &&
      isPlain(prepared.exchange) &&
      (await relayCall(call, resolved))
    )
      return undefined
    if (fault) throw fault
    if (keepsLinkedDocuments) prepared = await parts.readLinkedDocuments(prepared)
    if (notes) noteResponsesDialect(notes, body, { canReason: canReason(resolved) })
    const sources = toSourcesField(prepared.exchange)
    if (!prepared.request.stream)
      return { ...toResponsesAnswer(await completeStateless(prepared), body), ...sources }
    await sendDialectStream(call.response, streamCall(prepared), new ResponsesStream(body, sources))
    return undefined
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    prepared?.exchange.lifetime.end()
  }
}

interface Converted {
  readonly request: ChatCompletionRequest
  /**
   * Reason why only a provider that speaks the format can answer; the converted request is then a
   * placeholder for the preparation.
   */
  readonly fault: ServiceError | null
}

function convert(body: ResponsesCall['body'], resolved: ResolvedModel): Converted {
  try {
    return { request: toChatRequest(body, { canReason: canReason(resolved) }), fault: null }
  } catch (error) {
    if (!(error instanceof ServiceError) || !resolved.provider.responses?.isWorthAsking())
      throw error
    return {
      request: {
        model: body.model,
        messages: [],
        ...(body.stream != null && { stream: body.stream }),
      },
      fault: error,
    }
  }
}

/**
 * Relays the bytes unchanged in both directions for a provider that speaks the format; resolves
 * with false for others.
 */
async function relayCall(
  { body, rawBody, response, signal, notes }: ResponsesCall,
  { provider: { responses }, model }: ResolvedModel,
): Promise<boolean> {
  if (!responses?.isWorthAsking()) return false
  return responses.relay({
    body: await rewriteModel(rawBody, body, model.id),
    stream: body.stream === true,
    response,
    signal,
    notes,
  })
}
