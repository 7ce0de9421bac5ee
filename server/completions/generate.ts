import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionFrame } from '../providers/index.ts'
import { runCodeLoop } from './code/code-loop.ts'
import type { Exchange } from './exchange.ts'
import { filterStream } from './filter-stream.ts'
import { toProviderCall } from './provider-call.ts'
import { runToolLoop } from './tools/tool-loop.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

export interface GenerateOptions {
  readonly exchange: Exchange
  /** Ready for the model. */
  readonly request: ChatCompletionRequest
  /** What is done to the frames of each round before filters see them. */
  readonly refine?: (frames: Frames) => Frames
}

/** Asks the provider, as often as its tools need; frames come as fast as the reader takes them. */
export function generate({
  exchange,
  request,
  refine = (frames) => frames,
}: GenerateOptions): Frames {
  const { resolved, belt, code, filters } = exchange
  const open = (asked: ChatCompletionRequest): Frames =>
    filterStream(refine(resolved.provider.stream(toProviderCall(exchange, asked))), filters)
  const withTools = (): Frames =>
    belt ? runToolLoop({ exchange, belt, request, open }) : open(request)
  const frames = code ? runCodeLoop({ exchange, runner: code, request, open }) : withTools()
  return filters.length === 0 ? frames : closing(frames, exchange)
}

async function* closing(frames: Frames, exchange: Exchange): Frames {
  try {
    yield* frames
  } finally {
    exchange.closeFilters()
  }
}
