import type { Caller } from '../../lib/http.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Models } from '../../models/index.ts'
import type {
  CompletionFrame,
  FrameSink,
  FrameStream,
  Provider,
  TextUpstream,
} from '../../providers/index.ts'
import type { UsageBooks } from '../completions-parts.ts'
import { normalizeUsage } from './normalize-usage.ts'

type Resolve = Models['resolve']
type Count = (usage: Record<string, unknown>) => void

/**
 * Resolves models whose answers are counted for callers with usage records; for all other callers
 * the models are returned unchanged.
 */
export function countModels(resolve: Resolve, books: UsageBooks): Resolve {
  return (caller, id, place) =>
    whenReady(resolve(caller, id, place), (found) =>
      whenReady(books.isCounted(caller), (isCounted) =>
        isCounted ? countModel(found, books, caller) : found,
      ),
    )
}

const countModel = (resolved: ResolvedModel, books: UsageBooks, caller: Caller): ResolvedModel => ({
  ...resolved,
  provider: countProvider(resolved.provider, (usage) => book(books, caller, usage)),
})

function book(books: UsageBooks, caller: Caller, usage: Record<string, unknown>): void {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = normalizeUsage(usage)
  books.count(caller, {
    input_tokens: Number(input),
    output_tokens: Number(output),
    total_tokens: Number(total),
  })
}

/**
 * Exposes only the methods every provider has: answers that are not forwarded frame by frame cannot
 * be counted.
 */
function countProvider(provider: Provider, count: Count): Provider {
  const { connectionId, kind, abilities, name, type, text } = provider
  return {
    connectionId,
    kind,
    abilities,
    name,
    type,
    listModels: (signal) => provider.listModels(signal),
    check: (signal) => provider.check(signal),
    stream: (call) => countFrames(provider.stream(call), count),
    ...(provider.openFrames && {
      openFrames: async (call) => new CountedStream(await provider.openFrames!(call), count),
    }),
    async complete(call) {
      const completion = await provider.complete(call)
      if (completion.usage) count(completion.usage)
      return completion
    },
    ...(text && { text: countText(text, count) }),
  }
}

const countText = (text: TextUpstream, count: Count): TextUpstream => ({
  takesMany: text.takesMany,
  stream: (call) => countFrames(text.stream(call), count),
  async complete(call) {
    const completion = await text.complete(call)
    if (completion.usage) count(completion.usage)
    return completion
  },
})

const usageOf = (frame: CompletionFrame): Record<string, unknown> | null =>
  'choices' in frame ? ((frame.usage as Record<string, unknown> | undefined) ?? null) : null

/**
 * Counts the last usage reported, since providers may report it more than once; also when the
 * reader disconnects before the end.
 */
async function* countFrames(
  frames: ReturnType<Provider['stream']>,
  count: Count,
): AsyncGenerator<CompletionFrame, void, void> {
  let usage: Record<string, unknown> | null = null
  try {
    for await (const frame of frames) {
      usage = usageOf(frame) ?? usage
      yield frame
    }
  } finally {
    if (usage) count(usage)
  }
}

/** Stream that is forwarded unchanged, with the token counts its provider reports. */
class CountedStream implements FrameStream {
  readonly #stream: FrameStream
  readonly #count: Count
  #usage: Record<string, unknown> | null = null

  constructor(stream: FrameStream, count: Count) {
    this.#stream = stream
    this.#count = count
  }

  read(sink: FrameSink): void {
    this.#stream.read({
      onFrames: (frames) => {
        for (const frame of frames) this.#usage = usageOf(frame) ?? this.#usage
        sink.onFrames(frames)
      },
      onEnd: (fault) => {
        this.#finish()
        sink.onEnd(fault)
      },
    })
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  abort(): void {
    this.#finish()
    this.#stream.abort()
  }

  #finish(): void {
    if (this.#usage) this.#count(this.#usage)
    this.#usage = null
  }
}
