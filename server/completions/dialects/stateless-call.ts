import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'
import type { Models, ResolvedModel } from '../../models/index.ts'
import { stripGatewayFields, type CompletionFrame, type FrameBatches } from '../../providers/index.ts'
import { collectAnswer } from '../collect-answer.ts'
import type { Exchange } from '../exchange.ts'
import { filterChunk, type StreamFilter } from '../filter-stream.ts'
import { generate } from '../generate.ts'
import type { Prepared } from '../prepare-stateless.ts'

/** What dialects share with the pipeline of chat completions. */
export interface DialectParts {
  readonly models: Pick<Models, 'resolve'>
  /** Makes a converted request ready for its model; the same object comes back when there was nothing to do. */
  readonly prepare: (
    request: ChatCompletionRequest,
    about: { caller: Caller; resolved: ResolvedModel; signal: AbortSignal },
  ) => Prepared | Promise<Prepared>
}

const toProviderCall = ({ request, exchange: { resolved, signal } }: Prepared) => ({
  model: resolved.model.id,
  body: stripGatewayFields(request),
  signal,
})

/** The sources of an answer as a field that clients of other formats pass over; nothing without any. */
export const toSourcesField = ({ findings: { sources } }: Exchange): { sources?: readonly Source[] } =>
  sources.length > 0 ? { sources } : {}

/** Asks for a whole answer. */
export const completeCall = (prepared: Prepared): Promise<ChatCompletion> =>
  prepared.exchange.belt || prepared.exchange.filters.length > 0
    ? collectAnswer(prepared)
    : prepared.exchange.resolved.provider.complete(toProviderCall(prepared))

/** Asks for a stream; frames that came together stay together. */
export async function streamCall(prepared: Prepared): Promise<FrameBatches> {
  const { exchange } = prepared
  const { provider } = exchange.resolved
  if (exchange.belt) return oneByOne(generate(prepared))
  const asked = toProviderCall(prepared)
  const batches = provider.openBatches ? await provider.openBatches(asked) : oneByOne(provider.stream(asked))
  return exchange.filters.length === 0 ? batches : filterBatches(batches, exchange.filters)
}

async function* oneByOne(frames: AsyncGenerator<CompletionFrame, void, void>): FrameBatches {
  for await (const frame of frames) yield [frame]
}

async function* filterBatches(batches: FrameBatches, filters: readonly StreamFilter[]): FrameBatches {
  for await (const frames of batches) {
    const filtered: CompletionFrame[] = []
    for (const frame of frames) {
      const kept = 'choices' in frame ? await filterChunk(frame as ChatCompletionChunk, filters) : frame
      if (kept) filtered.push(kept)
    }
    yield filtered
  }
}
