import type { ChatCompletionChunk, ChatCompletionRequest } from '#contract/completions.ts'
import { ServiceError } from '../lib/errors.ts'
import { toServiceError } from '../lib/http.ts'
import type { ResolvedModel } from '../models/index.ts'
import { rewriteModel, stripGatewayFields, type ErrorFrame } from '../providers/index.ts'
import type { CompletionCall } from './deliver.ts'
import { DONE_FRAME, toErrorFrame, toSseFrame } from './dialects/chat-completions.ts'
import { filterStream, type StreamFilter } from './filter-stream.ts'
import { generate } from './generate.ts'
import { createSseWriter } from './sse-writer.ts'

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
    if (provider.relay && options.filters.length === 0) {
      // The bytes go up as they came unless they hold the gateway's own fields, which is also all that preparing acts on.
      const bytes = rewriteModel(call.rawBody, request, resolved.model.id)
      await provider.relay({ body: bytes, stream: request.stream === true, response: call.response, signal: call.signal })
      return undefined
    }
    if (request.stream) return await streamFrames(options)
    return await provider.complete({ model: resolved.model.id, body: stripGatewayFields(request), signal: call.signal })
  } catch (error) {
    if (call.signal.aborted) return undefined
    throw error
  }
}

async function streamFrames({ call, request, resolved, filters }: StatelessOptions): Promise<undefined> {
  const writer = createSseWriter(call.response)
  const frames = filterStream(generate({ resolved, prepare: () => request, signal: call.signal }), filters)
  try {
    for await (const frame of frames) {
      if (!('choices' in frame)) throw toFrameError(frame as ErrorFrame)
      if (!writer.send(toSseFrame(frame as ChatCompletionChunk))) await writer.drained()
    }
  } catch (error) {
    if (!writer.hasBegun || call.signal.aborted) throw error
    writer.send(toErrorFrame(toServiceError(error)))
  }
  writer.send(DONE_FRAME)
  writer.end()
}

const toFrameError = ({ error }: ErrorFrame): ServiceError => new ServiceError(error.status, error.message, { code: error.code })
