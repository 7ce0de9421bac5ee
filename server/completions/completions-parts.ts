import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Images } from '../images/index.ts'
import type { Caller } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { Users } from '../users/index.ts'
import type { Memories } from '../memories/index.ts'
import type { Models } from '../models/index.ts'
import type { CompletionsSettings } from './completions-settings.ts'
import type { Skills } from '../skills/index.ts'
import type { Tasks } from '../tasks/index.ts'
import type { Code } from '../code/index.ts'
import type { ChooseFilters, Outlet } from '../extensions/filters.ts'
import type { RunAction } from '../extensions/run-action.ts'
import type { OpenBelt } from '../extensions/tool-belt.ts'
import type { LiveAnswers } from './live-answers.ts'
import type { LongSaves } from './long-saves.ts'
import type { Library } from './sources/library.ts'

/** Tokens of one answer. */
export interface TokenCounts {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly total_tokens: number
}

/** Keeps count of the tokens callers use. */
export interface UsageBooks {
  /** Whether this caller is counted at all; the bytes of the others are handed on unread. */
  isCounted(caller: Caller): boolean | Promise<boolean>
  count(caller: Caller, tokens: TokenCounts): void
}

/** Tells who does not look at a window that their answer is there. */
export interface AnswerNotices {
  /**
   * Saves a complete answer of a stored chat and notes in the same transaction whom to tell; null
   * for nobody.
   */
  save(
    place: { userId: string; chatId: string; messageId: string },
    save: () => Promise<void>,
  ): Promise<string | null>
  /** Sends what was noted, as nothing more is written about the answer. */
  release(notice: string): Promise<void>
}

/** Tells of chats that questions make for themselves, as calls tell of those they make. */
export interface ChatNews {
  created(userId: string, chatId: string): Promise<void>
  removed(userId: string, chatId: string): Promise<void>
}

/** What the pipeline is built on. */
export interface CompletionsDependencies {
  readonly models: Pick<Models, 'resolve'>
  readonly chats: Chats
  /** Whom to tell of chats that are made for a question; without it nobody. */
  readonly chatNews?: ChatNews
  readonly tasks: Tasks
  readonly events: Pick<
    Events,
    'answerBegun' | 'answerOver' | 'call' | 'emit' | 'emitTo' | 'hasSession' | 'requireFit'
  >
  readonly settings: CompletionsSettings
  readonly groups: Pick<Groups, 'allows'>
  readonly memories: Pick<Memories, 'find' | 'findByMeaning'>
  /**
   * What people told about themselves; without it templates know their name and e-mail address
   * alone.
   */
  readonly people?: Pick<Users['profiles'], 'promptNames'>
  readonly log: Logger
  readonly usage?: UsageBooks
  /** Counts the messages of callers who may send only so many; throws 429 when they are used up. */
  readonly countMessages?: (caller: Caller, messages: number) => Promise<void> | void
  /** Files, knowledge, notes and pages answers may draw on; without it attachments are ignored. */
  readonly library?: Library
  /** Makes and keeps pictures; without it those of answers stay as they came. */
  readonly images?: Images
  /** Chooses the filters of a request. */
  readonly filters?: ChooseFilters
  /** Chooses what the model that answers needs itself, whoever chose it. */
  readonly pipes?: ChooseFilters
  /**
   * Chooses the filters of small tasks such as titles, which fewer filters see than the answers
   * (docs/plugin-contract.md).
   */
  readonly taskFilters?: ChooseFilters
  /** Instructions models read when they need them; without it there are none. */
  readonly skills?: Pick<Skills, 'fileOf' | 'filesOf' | 'usable'>
  /** Opens the tools of a request. */
  readonly tools?: OpenBelt
  /** Runs code of models; without it requests that ask for it go without. */
  readonly code?: Pick<Code, 'forget' | 'run' | 'warm'>
  /** Runs a button of a plugin; without it there are none. */
  readonly actions?: RunAction
  /** Filters over finished answers, in order. */
  readonly outlets?: readonly Outlet[]
  /** Whom to tell of finished answers besides the windows; without it nobody. */
  readonly notices?: AnswerNotices
}

/** The dependencies with what the stops of one pipeline share. */
export interface CompletionsParts extends CompletionsDependencies {
  readonly outlets: readonly Outlet[]
  readonly live: LiveAnswers
  readonly longSaves: LongSaves
  /** Aborts when the gateway shuts down. */
  readonly closing: AbortSignal
}
