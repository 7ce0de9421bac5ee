import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionFrame } from '../providers/index.ts'
import { runCodeLoop } from './code/code-loop.ts'
import type { Exchange } from './exchange.ts'
import { filterStream } from './filter-stream.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { keepReceived } from './pictures/keep-received.ts'
import { toProviderCall } from './provider-call.ts'
import { separateReasoning } from './separate-reasoning.ts'
import { toReasoningTags } from './split-reasoning.ts'
import { runToolLoop } from './tools/tool-loop.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

interface GenerateOptions {
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

/**
 * The same for an answer that is stored: thoughts stand apart from the text, and pictures are files
 * of the person.
 */
export function generateOwned(
  { images }: Pick<CompletionsParts, 'images'>,
  exchange: Exchange,
  request: ChatCompletionRequest,
): Frames {
  const { sent, resolved } = exchange
  const tags = toReasoningTags(
    sent.params?.['reasoning_tags'] ?? resolved.preset?.params['reasoning_tags'],
  )
  const frames = generate({ exchange, request, refine: (raw) => separateReasoning(raw, tags) })
  return images ? keepReceived(images, exchange, frames) : frames
}

async function* closing(frames: Frames, exchange: Exchange): Frames {
  try {
    yield* frames
  } finally {
    exchange.closeFilters()
  }
}
