import type { responsesEndpoints } from '#contract/responses.ts'
import type { Call } from '../../../lib/http.ts'
import { canReason } from '../can-reason.ts'
import { sendDialectStream } from '../dialect-stream.ts'
import { completeCall, streamCall, toSourcesField, type DialectParts } from '../stateless-call.ts'
import { toResponsesAnswer } from './convert-answer.ts'
import { toChatRequest } from './convert-request.ts'
import { noteResponsesDialect } from './note-request.ts'
import { createResponsesStream } from './stream-events.ts'

export type ResponsesCall = Call<typeof responsesEndpoints.create>

/** Answers a call in the responses format. It ends with its caller: leaving cancels the upstream. */
export async function answerResponses(parts: DialectParts, call: ResponsesCall): Promise<unknown> {
  const { body, caller, params, signal, notes } = call
  const resolved = await parts.models.resolve(caller, body.model, params.url_idx)
  if (notes) noteResponsesDialect(notes, body)
  try {
    const preparing = parts.prepare(toChatRequest(body, { canReason: canReason(resolved) }), {
      caller,
      resolved,
      signal,
      notes,
      headers: call.request.headers,
    })
    const prepared = preparing instanceof Promise ? await preparing : preparing
    const sources = toSourcesField(prepared.exchange)
    if (!prepared.request.stream) return { ...toResponsesAnswer(await completeCall(prepared), body), ...sources }
    await sendDialectStream(call.response, streamCall(prepared), createResponsesStream(body, sources))
    return undefined
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
