import type { IncomingMessage } from 'node:http'
import type { messagesEndpoints } from '#contract/messages.ts'
import { badRequest } from '../../../lib/errors.ts'
import type { HttpCall } from '../../../lib/http.ts'
import type { ResolvedModel } from '../../../extensions/resolved-model.ts'
import { meantPlace } from '../../../models/index.ts'
import { noteDroppedFields, rewriteModel, stripGatewayFields } from '../../../providers/index.ts'
import { isPlain, type Prepared } from '../../prepare/prepare-stateless.ts'
import { canReason } from '../can-reason.ts'
import { sendDialectStream } from '../dialect-stream.ts'
import { completeStateless } from '../../deliver/collect-answer.ts'
import { streamCall, toSourcesField, type DialectParts } from '../stateless-call.ts'
import { toMessagesAnswer } from './convert-answer.ts'
import { toChatRequest } from './convert-request.ts'
import { estimateTokens } from '../../../lib/text/estimate-tokens.ts'
import { noteMessagesDialect } from './note-request.ts'
import { MessagesStream } from './stream-events.ts'

export type MessagesCall = HttpCall<typeof messagesEndpoints.create>
export type CountTokensCall = HttpCall<typeof messagesEndpoints.countTokens>

/**
 * Headers that state which API version a body was written for; an upstream of the same format needs
 * them to read it.
 */
const FORMAT_HEADERS = ['anthropic-version', 'anthropic-beta']

/**
 * Answers a call in the messages format. A disconnect of the caller cancels the upstream request.
 */
export async function answerMessages(parts: DialectParts, call: MessagesCall): Promise<unknown> {
  const { body, caller, signal, notes } = call
  const resolved = await parts.models.resolve(caller, body.model, meantPlace(call))
  const about = {
    canReason: canReason(resolved),
    speaksMessages: resolved.provider.messages !== undefined,
  }
  const converted = toChatRequest(body, about)
  const showsThinking = body.thinking != null && body.thinking.type !== 'disabled'
  let prepared: Prepared | null = null
  try {
    const preparing = parts.prepare(converted, {
      caller,
      resolved,
      signal,
      notes,
      headers: call.request.headers,
    })
    prepared = preparing instanceof Promise ? await preparing : preparing
    const { request, exchange } = prepared
    const options = {
      ...toSourcesField(exchange),
      model: body.model,
      showsThinking,
      estimateInput: () => estimateTokens(body),
    }
    if (resolved.provider.messages && request === converted && isPlain(exchange))
      return await relayCall(call, resolved)
    requireTranslatable(body)
    if (notes) noteMessagesDialect(notes, body, about)
    if (request.stream) {
      await sendDialectStream(call.response, streamCall(prepared), new MessagesStream(options))
      return undefined
    }
    return toMessagesAnswer(await completeStateless(prepared), options)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    prepared?.exchange.lifetime.end()
  }
}

/**
 * Throws for a request that only the vendor can answer. Of a thread the caller sends the new
 * messages alone, so that the model would be asked without the conversation; the code makes the SDK
 * send all of it instead.
 */
function requireTranslatable({ thread, max_tokens: limit }: MessagesCall['body']): void {
  if (thread != null)
    throw badRequest(
      'Conversations are not stored here, so "thread" cannot be used. Send the whole conversation.',
      {
        code: 'thread_unsupported_request',
        reported: {
          details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
        },
      },
    )
  if (limit === 0)
    throw badRequest('This model keeps no prompt cache to fill. Set max_tokens to at least 1.')
}

/**
 * Relays the bytes unchanged in both directions, because nothing has to change for this upstream.
 */
async function relayCall(
  { body, rawBody, response, signal, notes, request }: MessagesCall,
  { provider, model }: ResolvedModel,
): Promise<undefined> {
  if (notes) noteDroppedFields(notes, body)
  const bytes = await rewriteModel(rawBody, body, model.id)
  await provider.messages!.relay({
    body: bytes,
    stream: body.stream === true,
    response,
    signal,
    notes,
    headers: formatHeaders(request),
  })
}

function formatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const entries = FORMAT_HEADERS.map((name) => [name, headers[name]])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
}

/** Counts the tokens of a conversation, through the upstream if it can count. */
export async function countTokens(
  parts: DialectParts,
  { body, caller, signal }: CountTokensCall,
): Promise<{ input_tokens: number }> {
  const { provider, model } = await parts.models.resolve(caller, body.model)
  if (!provider.messages) return { input_tokens: estimateTokens(body) }
  return {
    input_tokens: await provider.messages.countTokens(
      { ...stripGatewayFields(body), model: model.id },
      signal,
    ),
  }
}
