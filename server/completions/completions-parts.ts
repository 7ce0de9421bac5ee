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
import type { LiveAnswers } from './answer/live-answers.ts'
import type { LongSaves } from './answer/long-saves.ts'
import type { Library } from './sources/library.ts'

/** Tokens kept for a running call until the tokens it used are counted. */
export interface KeptTokens {
  settle(tokens: number): void
}

/** Counts the tokens callers use. */
export interface UsageBooks {
  /**
   * Returns true if this caller's tokens are counted; the bytes of other callers are forwarded
   * unread.
   */
  isCounted(caller: Caller): boolean | Promise<boolean>
  /** Keeps the tokens a call is expected to use; throws 429 if its caller has none left. */
  reserve(caller: Caller, expected: number): KeptTokens | Promise<KeptTokens>
}

/** Notifies users who are not looking at a window that their answer is ready. */
export interface AnswerNotices {
  /**
   * Saves a complete answer of a stored chat and records in the same transaction who is to be
   * notified; resolves with null if no user is.
   */
  save(
    place: { userId: string; chatId: string; messageId: string },
    save: () => Promise<void>,
  ): Promise<string | null>
  /** Sends the recorded notice, because nothing more is written about the answer. */
  release(notice: string): Promise<void>
}

/** Announces chats created for a question, as calls announce those they create. */
export interface ChatNews {
  created(userId: string, chatId: string): Promise<void>
  removed(userId: string, chatId: string): Promise<void>
}

/** Dependencies of the pipeline. */
export interface CompletionsDependencies {
  readonly models: Pick<Models, 'resolve' | 'mayName'>
  readonly chats: Chats
  /** Announces chats created for a question; without it they are not announced. */
  readonly chatNews?: ChatNews
  readonly tasks: Tasks
  readonly events: Pick<
    Events,
    'answerBegun' | 'answerOver' | 'call' | 'emit' | 'emitTo' | 'hasSession' | 'limits'
  >
  readonly settings: CompletionsSettings
  readonly groups: Groups
  readonly memories: Memories
  /**
   * Personal details users entered; without it templates know only their name and e-mail address.
   */
  readonly people?: Pick<Users['profiles'], 'promptNames'>
  readonly log: Logger
  readonly usage?: UsageBooks
  /** Counts the messages of callers with a message limit; throws 429 when it is used up. */
  readonly countMessages?: (caller: Caller, messages: number) => Promise<void> | void
  /** Files, knowledge, notes and pages that answers may use; without it attachments are ignored. */
  readonly library?: Library
  /** Generates and stores images; without it the images of answers stay as they came. */
  readonly images?: Images
  /** Chooses the filters of a request. */
  readonly filters?: ChooseFilters
  /** Chooses the filters required by the answering model itself, independent of who chose it. */
  readonly pipes?: ChooseFilters
  /**
   * Chooses the filters of small tasks such as titles; fewer filters apply to them than to answers
   * (docs/plugin-contract.md).
   */
  readonly taskFilters?: ChooseFilters
  /** Instructions that models read when they need them; without it there are none. */
  readonly skills?: Skills
  /** Opens the tools of a request. */
  readonly tools?: OpenBelt
  /** Runs code of models; without it, requests that ask for it are answered without code. */
  readonly code?: Code
  /** Runs a plugin's action button; without it there are none. */
  readonly actions?: RunAction
  /** Filters applied to finished answers, in order. */
  readonly outlets?: readonly Outlet[]
  /** Announces finished answers outside the open windows; without it they are not announced. */
  readonly notices?: AnswerNotices
}

/** Dependencies together with the state shared by the stages of one pipeline. */
export interface CompletionsParts extends CompletionsDependencies {
  readonly outlets: readonly Outlet[]
  readonly live: LiveAnswers
  readonly longSaves: LongSaves
  /** Aborts when the gateway shuts down. */
  readonly closing: AbortSignal
}
