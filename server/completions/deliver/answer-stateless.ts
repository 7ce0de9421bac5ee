import type { ChatCompletionChunk, ChatCompletionRequest } from '#contract/completions.ts'
import type { HttpCall } from '../../lib/http.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import {
  adaptRequest,
  rewriteModel,
  serializeBody,
  stripGatewayFields,
  type CompletionFrame,
  type ErrorFrame,
} from '../../providers/index.ts'
import { completeStateless, generateStateless, toFrameError } from './collect-answer.ts'
import type { CompletionCall } from '../completion-call.ts'
import { DONE_FRAME, toErrorFrame, toSseFrame } from '../dialects/chat-completions.ts'
import type { Exchange } from '../exchange.ts'
import { isPlain, type Prepared } from '../prepare/prepare-stateless.ts'
import { readsFunctionCalls, toFunctionChunk, toFunctionCompletion } from './function-calls.ts'
import { createSseWriter, type SseWriter } from './sse-writer.ts'
import { placeUsage, wantsUsage } from './usage-frames.ts'

interface StatelessOptions extends Prepared {
  readonly call: CompletionCall
}

/**
 * Answers a call that belongs to no chat. A disconnect of the caller cancels the upstream request.
 */
export async function answerStateless(options: StatelessOptions): Promise<unknown> {
  const { call, request, exchange } = options
  const { resolved, signal, notes } = exchange
  const { provider } = resolved
  try {
    // A request that may have to be sent again with the text of its documents is not relayed; its
    // answer is parsed.
    if (provider.relay && isPlain(exchange) && !exchange.readAsText) {
      const body = toRelayedBytes(options)
      await provider.relay({
        body: body instanceof Promise ? await body : body,
        stream: request.stream === true,
        response: call.response,
        signal,
        notes,
      })
      return undefined
    }
    if (request.stream)
      return await streamFrames({
        call,
        exchange,
        request,
        frames: generateStateless(options),
      })
    const completion = await completeStateless(options)
    const read = readsFunctionCalls(request) ? toFunctionCompletion(completion) : completion
    return { ...read, ...toExtras(exchange) }
  } catch (error) {
    if (call.signal.aborted) return undefined
    throw error
  } finally {
    exchange.lifetime.end()
  }
}

/** Returns the fields the gateway adds to an answer: the model an arena chose and the sources. */
const toExtras = ({
  resolved: { selectedModelId },
  findings: { sources },
}: Pick<Exchange, 'resolved' | 'findings'>) => ({
  ...(selectedModelId !== undefined && { selected_model_id: selectedModelId }),
  ...(sources.length > 0 && { sources }),
})

/** Returns the original bytes unless preparation changed the request or it holds gateway fields. */
function toRelayedBytes({
  call,
  request,
  exchange: { resolved, notes },
}: StatelessOptions): Buffer | Promise<Buffer> {
  const { id } = resolved.model
  const sent = adaptRequest(id, request, notes)
  return sent === call.body
    ? rewriteModel(call.rawBody, sent, id)
    : serializeBody({ ...stripGatewayFields(sent), model: id })
}

function sendExtras(writer: SseWriter, exchange: Pick<Exchange, 'resolved' | 'findings'>): void {
  for (const [name, value] of Object.entries(toExtras(exchange)))
    writer.send(toSseFrame({ [name]: value }))
}

interface StreamOptions {
  readonly call: Pick<HttpCall, 'response' | 'signal'>
  readonly exchange: Pick<Exchange, 'resolved' | 'findings'>
  readonly request: ChatCompletionRequest
  readonly frames: AsyncGenerator<CompletionFrame, void, void>
}

/** Streams an answer to its caller frame by frame; the gateway's own fields come first. */
export async function streamFrames({
  call,
  exchange,
  request,
  frames,
}: StreamOptions): Promise<undefined> {
  const writer = createSseWriter(call.response)
  const isUsageWanted = wantsUsage(request['stream_options'])
  const isLegacy = readsFunctionCalls(request)
  try {
    for await (const frame of frames) {
      if (!('choices' in frame)) throw toFrameError(frame as ErrorFrame)
      for (const chunk of placeUsage(frame as ChatCompletionChunk, isUsageWanted)) {
        if (!writer.hasBegun) sendExtras(writer, exchange)
        const read = isLegacy ? toFunctionChunk(chunk) : chunk
        if (!writer.send(toSseFrame(read))) await writer.drained()
      }
    }
  } catch (error) {
    if (!writer.hasBegun || call.signal.aborted) throw error
    writer.send(toErrorFrame(toServiceError(error)))
  }
  writer.send(DONE_FRAME)
  writer.end()
}
