import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import { readsFunctionCalls } from '../deliver/function-calls.ts'
import { runCodeLoop } from '../code/code-loop.ts'
import type { Exchange } from '../exchange.ts'
import { filterStream } from './filter-stream.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { keepReceived } from '../pictures/keep-received.ts'
import { toProviderCall } from './provider-call.ts'
import { readFunctionCalls } from './read-function-calls.ts'
import { separateReasoning } from './separate-reasoning.ts'
import { toReasoningTags } from './split-reasoning.ts'
import { tellWaits } from './tell-waits.ts'
import { runToolLoop } from '../tools/tool-loop.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

interface GenerateOptions {
  readonly exchange: Exchange
  /** Request prepared for the model. */
  readonly request: ChatCompletionRequest
  /** Transformation applied to the frames of each round before the filters. */
  readonly refine?: (frames: Frames) => Frames
}

/** Calls the provider as often as its tools require; frames arrive at the pace of the reader. */
export function generate({
  exchange,
  request,
  refine = (frames) => frames,
}: GenerateOptions): Frames {
  const { resolved, belt, code, filters } = exchange
  const open = (asked: ChatCompletionRequest): Frames => {
    const raw = tellWaits(exchange, (onWait) =>
      resolved.provider.stream(toProviderCall(exchange, asked, onWait)),
    )
    return filterStream(refine(readsFunctionCalls(asked) ? readFunctionCalls(raw) : raw), filters)
  }
  const withTools = (): Frames =>
    belt ? runToolLoop({ exchange, belt, request, open }) : open(request)
  const frames = code ? runCodeLoop({ exchange, runner: code, request, open }) : withTools()
  return filters.length === 0 ? frames : closing(frames, exchange)
}

/**
 * Like `generate`, for a stored answer: reasoning is separated from the text, and images are stored
 * as files of the user.
 */
export function generateOwned(
  { images }: CompletionsParts,
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
