import type { Caller } from '../../lib/http.ts'
import { estimateCall } from '../../lib/text/estimate-call.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Models } from '../../models/index.ts'
import type {
  CompletionCall,
  CompletionFrame,
  FrameSink,
  FrameStream,
  Provider,
  TextUpstream,
} from '../../providers/index.ts'
import type { KeptTokens, UsageBooks } from '../completions-parts.ts'
import { normalizeUsage } from './normalize-usage.ts'

type Resolve = Models['resolve']
type Meter = (call: CompletionCall) => Promise<MeteredCall>

/** A chunk of a stream is about one token. */
const TOKENS_OF_FRAME = 1

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
  provider: countProvider(resolved.provider, async ({ body, signal }) => {
    const { prompt, answer } = estimateCall(body)
    // A pipe asks other models, and each of these calls is expected to use tokens of its own.
    const expected = resolved.provider.kind === 'pipe' ? 0 : prompt + answer
    return new MeteredCall({ kept: await books.reserve(caller, expected), prompt, signal })
  }),
})

/** Counts the tokens of one call, and frees those that were kept for it when it ends. */
class MeteredCall {
  readonly #kept: KeptTokens
  readonly #prompt: number
  readonly #signal: AbortSignal
  #usage: Record<string, unknown> | null = null
  #frames = 0

  constructor(call: {
    readonly kept: KeptTokens
    readonly prompt: number
    readonly signal: AbortSignal
  }) {
    this.#kept = call.kept
    this.#prompt = call.prompt
    this.#signal = call.signal
  }

  /** Providers may report usage more than once; the last report counts. */
  see(frame: CompletionFrame): void {
    if (!('choices' in frame)) return
    this.#frames += 1
    this.report(frame.usage as Record<string, unknown> | null | undefined)
  }

  report(usage: Record<string, unknown> | null | undefined): void {
    this.#usage = usage ?? this.#usage
  }

  /**
   * Counts what was reported. A provider also charges for an answer whose reader left before the
   * report, so that its tokens are estimated.
   */
  end({ isComplete }: { readonly isComplete: boolean }): void {
    this.#kept.settle(this.#usage ? totalOf(this.#usage) : this.#estimate(isComplete))
  }

  #estimate(isComplete: boolean): number {
    const isBroken = this.#signal.aborted || (!isComplete && this.#frames > 0)
    return isBroken ? this.#prompt + this.#frames * TOKENS_OF_FRAME : 0
  }
}

const totalOf = (usage: Record<string, unknown>): number =>
  Number(normalizeUsage(usage)['total_tokens'])

/**
 * Exposes only the methods every provider has: answers that are not forwarded frame by frame cannot
 * be counted.
 */
function countProvider(provider: Provider, meter: Meter): Provider {
  const { connectionId, kind, abilities, name, type, text } = provider
  return {
    connectionId,
    kind,
    abilities,
    name,
    type,
    listModels: (signal) => provider.listModels(signal),
    check: (signal) => provider.check(signal),
    stream: (call) => countFrames(meter, call, () => provider.stream(call)),
    ...(provider.openFrames && {
      openFrames: async (call) => {
        const metered = await meter(call)
        try {
          return new CountedStream(await provider.openFrames!(call), metered)
        } catch (error) {
          metered.end({ isComplete: false })
          throw error
        }
      },
    }),
    complete: (call) => countWhole(meter, call, () => provider.complete(call)),
    ...(text && { text: countText(text, meter) }),
  }
}

const countText = (text: TextUpstream, meter: Meter): TextUpstream => ({
  takesMany: text.takesMany,
  stream: (call) => countFrames(meter, call, () => text.stream(call)),
  complete: (call) => countWhole(meter, call, () => text.complete(call)),
})

async function countWhole<Answer extends { readonly usage?: object | null }>(
  meter: Meter,
  call: CompletionCall,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const metered = await meter(call)
  try {
    const answer = await ask()
    metered.report(answer.usage as Record<string, unknown> | null | undefined)
    return answer
  } finally {
    metered.end({ isComplete: true })
  }
}

async function* countFrames(
  meter: Meter,
  call: CompletionCall,
  open: () => ReturnType<Provider['stream']>,
): AsyncGenerator<CompletionFrame, void, void> {
  const metered = await meter(call)
  let isComplete = false
  try {
    for await (const frame of open()) {
      metered.see(frame)
      yield frame
    }
    isComplete = true
  } finally {
    metered.end({ isComplete })
  }
}

/** Stream that is forwarded unchanged, with the token counts its provider reports. */
class CountedStream implements FrameStream {
  readonly #stream: FrameStream
  readonly #metered: MeteredCall

  constructor(stream: FrameStream, metered: MeteredCall) {
    this.#stream = stream
    this.#metered = metered
  }

  read(sink: FrameSink): void {
    this.#stream.read({
      onFrames: (frames) => {
        for (const frame of frames) this.#metered.see(frame)
        sink.onFrames(frames)
      },
      onEnd: (fault) => {
        this.#metered.end({ isComplete: true })
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
    this.#metered.end({ isComplete: false })
    this.#stream.abort()
  }
}
