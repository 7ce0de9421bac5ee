import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import type { createUsageSum } from './sum-usage.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>
type Delta = ChatCompletionChunk['choices'][number]['delta']

/** State of one round of a model. */
export interface Round {
  text: string
  /** Latest chunk, without its delta. */
  last: ChatCompletionChunk | null
  /** Chunk that ended the round, held back until it is known whether another round follows. */
  end: ChatCompletionChunk | null
  hasFailed: boolean
}

export const newRound = (): Round => ({ text: '', last: null, end: null, hasFailed: false })

interface Reader {
  readonly usage: ReturnType<typeof createUsageSum>
  /** Removes the hidden parts of a delta; returns the rest. */
  readonly read: (delta: Delta) => Delta
  /** Returns true if the rest of the round is to be ignored. */
  readonly isOver?: () => boolean
}

/** Forwards the visible parts of a round, and holds back its token counts and its end. */
export async function* readRound(frames: Frames, round: Round, reader: Reader): Frames {
  for await (const frame of frames) {
    if (!('choices' in frame)) {
      round.hasFailed = true
      yield frame
      return
    }
    const { usage: told, ...chunk } = frame as ChatCompletionChunk
    if (told) reader.usage.tell(told)
    const [choice, ...others] = chunk.choices
    if (!choice) continue
    const delta = reader.read(choice.delta)
    round.text += delta.content ?? ''
    round.last = { ...chunk, choices: [{ ...choice, delta: {} }] }
    if (choice.finish_reason != null) round.end = round.last
    if (isShown(delta))
      yield { ...chunk, choices: [{ ...choice, delta, finish_reason: null }, ...others] }
    if (reader.isOver?.()) break
  }
  reader.usage.endRound()
}

const isShown = (delta: Delta): boolean =>
  Object.values(delta).some((value) => value !== undefined && value !== null && value !== '')
