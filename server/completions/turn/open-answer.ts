import type { Chats } from '../../chats/index.ts'
import type { Events } from '../../events/index.ts'
import type { Answer } from '../answer/answer.ts'
import type { Findings, Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Outcome } from '../answer/outcome.ts'
import type { BackgroundWish } from '../follow-up/run-background-work.ts'
import type { Turn } from './open-turn.ts'

/** Answer owned by the gateway: its message exists, and none of its text is written yet. */
export interface OpenAnswer {
  readonly turn: Turn
  /** Model as requested. */
  readonly modelId: string
  /** Exchange of the answer; an error if its model cannot be asked. */
  readonly exchange: Exchange | Error
  /** Name of the chat before the answer; null if no title is to be generated. */
  readonly titleBefore: string | null
  /** Returns the background steps to run; called when the answer is complete. */
  readonly wish: () => BackgroundWish
}

/** Dependencies for writing an answer; that of a temporary chat is not stored. */
export interface RunParts extends Pick<
  CompletionsParts,
  'tasks' | 'live' | 'longSaves' | 'log' | 'closing' | 'notices'
> {
  readonly chats: Pick<Chats, 'saveAnswer' | 'updatedAt' | 'wovenText'>
  readonly events: Pick<Events, 'emit'>
}

/** Answer that has ended, with any outcome. */
export interface WrittenAnswer {
  readonly answer: Answer
  /** Text of the answer with what events of plugins and outside tools wrote into it. */
  readonly content: string
  readonly findings: Findings
  readonly outcome: Outcome
}
