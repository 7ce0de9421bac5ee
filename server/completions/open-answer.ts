import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import type { Answer } from './answer.ts'
import type { Findings } from './exchange.ts'
import type { CompletionsParts } from './completions-parts.ts'
import type { Outcome } from './outcome.ts'
import type { Exchange } from './exchange.ts'
import type { BackgroundWish } from './generation/run-background-work.ts'
import type { Turn } from './open-turn.ts'

/** An answer the gateway owns: its message is there, and nothing of it is written yet. */
export interface OpenAnswer {
  readonly turn: Turn
  /** The model as it was asked for. */
  readonly modelId: string
  /** What the answer is made in; an error when its model cannot be asked. */
  readonly exchange: Exchange | Error
  /** Name of the chat before the answer; null when no title is to be written. */
  readonly titleBefore: string | null
  /** What is to be written beside the answer; asked for when it is complete. */
  readonly wish: () => BackgroundWish
}

/** What an answer is written with; that of a temporary chat is written nowhere. */
export interface RunParts extends Pick<
  CompletionsParts,
  'tasks' | 'live' | 'longSaves' | 'log' | 'closing' | 'notices'
> {
  readonly chats: Pick<Chats, 'saveAnswer' | 'updatedAt'>
  readonly events: Pick<Events, 'emit'>
}

/** An answer that has come to its end, whichever. */
export interface WrittenAnswer {
  readonly answer: Answer
  readonly findings: Findings
  readonly outcome: Outcome
  /** See `AnswerNotices`. */
  readonly notice: string | null
}
