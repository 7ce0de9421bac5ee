import type { ChatCompletion, ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'
import type { Models, ResolvedModel } from '../../models/index.ts'
import { stripGatewayFields, type CompletionFrame, type FrameBatches } from '../../providers/index.ts'
import type { StreamFilter } from '../filter-stream.ts'

/** What dialects share with the pipeline of chat completions. */
export interface DialectParts {
  readonly models: Pick<Models, 'resolve'>
  /** Makes a converted request ready for its model; the same object comes back when there was nothing to do. */
  readonly prepare: (request: ChatCompletionRequest, about: { caller: Caller; resolved: ResolvedModel }) => ChatCompletionRequest
  readonly filters: readonly StreamFilter[]
}

interface ModelCall {
  readonly resolved: ResolvedModel
  readonly request: ChatCompletionRequest
  readonly signal: AbortSignal
}

const toProviderCall = ({ resolved, request, signal }: ModelCall) => ({
  model: resolved.model.id,
  body: stripGatewayFields(request),
  signal,
})

/** Asks for a whole answer. */
export const completeCall = (call: ModelCall): Promise<ChatCompletion> => call.resolved.provider.complete(toProviderCall(call))

/** Asks for a stream; frames that came together stay together. */
export async function streamCall(call: ModelCall, filters: readonly StreamFilter[]): Promise<FrameBatches> {
  const { provider } = call.resolved
  const asked = toProviderCall(call)
  const batches = provider.openBatches ? await provider.openBatches(asked) : oneByOne(provider.stream(asked))
  return filters.length === 0 ? batches : filterBatches(batches, filters)
}

async function* oneByOne(frames: AsyncGenerator<CompletionFrame, void, void>): FrameBatches {
  for await (const frame of frames) yield [frame]
}

async function* filterBatches(batches: FrameBatches, filters: readonly StreamFilter[]): FrameBatches {
  for await (const frames of batches) {
    const filtered: CompletionFrame[] = []
    for (const frame of frames) {
      let chunk = frame
      if ('choices' in frame) for (const filter of filters) chunk = await filter(chunk as Parameters<StreamFilter>[0])
      filtered.push(chunk)
    }
    yield filtered
  }
}
