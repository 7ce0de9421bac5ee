import type { ChatCompletionChunk, ChatCompletionRequest } from '#contract/completions.ts'
import { ServiceError } from '../lib/errors.ts'
import { toServiceError, type Call } from '../lib/http.ts'
import type { ResolvedModel } from '../models/index.ts'
import { rewriteModel, serializeBody, stripGatewayFields, type ErrorFrame } from '../providers/index.ts'
import type { CompletionCall } from './deliver.ts'
import { DONE_FRAME, toErrorFrame, toSseFrame } from './dialects/chat-completions.ts'
import { filterStream, type StreamFilter } from './filter-stream.ts'
import { generate } from './generate.ts'
import { createSseWriter } from './sse-writer.ts'
import { isUsageFrame, wantsUsage } from './usage-frames.ts'

interface StatelessOptions {
  readonly call: CompletionCall
  /** The prepared request; `call.body` itself when nothing had to change. */
  readonly request: ChatCompletionRequest
  readonly resolved: ResolvedModel
  readonly filters: readonly StreamFilter[]
}

/** Answers a call no chat belongs to. It ends with its caller: leaving cancels the upstream. */
export async function answerStateless(options: StatelessOptions): Promise<unknown> {
  const { call, request, resolved } = options
  const { provider } = resolved
  try {
    if (provider.relay && options.filters.length === 0 && resolved.selectedModelId === undefined) {
      await provider.relay({ body: toRelayedBytes(options), stream: request.stream === true, response: call.response, signal: call.signal })
      return undefined
    }
    if (request.stream) return await streamFrames(options)
    const completion = await provider.complete({ model: resolved.model.id, body: stripGatewayFields(request), signal: call.signal })
    return resolved.selectedModelId === undefined ? completion : { ...completion, selected_model_id: resolved.selectedModelId }
  } catch (error) {
    if (call.signal.aborted) return undefined
    throw error
  }
}

/** The bytes go up as they came unless preparing changed something or they hold the gateway's own fields. */
const toRelayedBytes = ({ call, request, resolved }: StatelessOptions): Buffer =>
  request === call.body
    ? rewriteModel(call.rawBody, request, resolved.model.id)
    : serializeBody({ ...stripGatewayFields(request), model: resolved.model.id })

interface StreamOptions extends Omit<StatelessOptions, 'call'> {
  readonly call: Pick<Call, 'response' | 'signal'>
}

/** Streams an answer to its caller frame by frame. */
export async function streamFrames({ call, request, resolved, filters }: StreamOptions): Promise<undefined> {
  const writer = createSseWriter(call.response)
  const frames = filterStream(generate({ resolved, prepare: () => request, signal: call.signal }), filters)
  // Such a provider was asked for the token counts on the gateway's own account.
  const hidesUsage = resolved.provider.kind === 'compatible' && !wantsUsage(request['stream_options'])
  try {
    for await (const frame of frames) {
      if (!('choices' in frame)) throw toFrameError(frame as ErrorFrame)
      const chunk = frame as ChatCompletionChunk
      if (hidesUsage && isUsageFrame(chunk)) continue
      if (resolved.selectedModelId !== undefined && !writer.hasBegun)
        writer.send(toSseFrame({ selected_model_id: resolved.selectedModelId }))
      if (!writer.send(toSseFrame(chunk))) await writer.drained()
    }
  } catch (error) {
    if (!writer.hasBegun || call.signal.aborted) throw error
    writer.send(toErrorFrame(toServiceError(error)))
  }
  writer.send(DONE_FRAME)
  writer.end()
}

const toFrameError = ({ error }: ErrorFrame): ServiceError => new ServiceError(error.status, error.message, { code: error.code })
