import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { FolderContext } from '../chats/index.ts'
import type { CallNotes } from '../lib/call-notes.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import { freshSources } from './begun-answer.ts'
import type { RanCode } from './code/ran-code.ts'
import { createContact, type AnswerContact } from './contact.ts'
import type { StreamFilter } from '../extensions/filters.ts'
import type { RequestContext } from '../extensions/request-context.ts'
import type { ToolBelt } from '../extensions/tool-belt.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { noteDroppedFields } from '../providers/index.ts'
import type { Turn } from './open-turn.ts'
import { unshared, type SharedWork } from './shared-work.ts'
import type { OutputItem } from './tools/output-items.ts'

/** What an answer consists of besides the text of the model. */
export interface Findings {
  /** In the order the model cites them by. */
  readonly sources: Source[]
  /** The model an inlet chose in place of the one asked for. */
  chosenModelId?: string
  /** Names of attached files the model is given nothing of. */
  readonly leftOut: string[]
  /** Texts, calls and results in order; empty for an answer without tools. */
  readonly output: OutputItem[]
}

/** Runs code for the model of one answer. */
export interface CodeRunner {
  readonly mostRounds: () => number
  readonly run: (code: string) => Promise<RanCode>
  /** Ends what was kept for this answer alone. */
  readonly close: () => Promise<void>
}

/** One request and its answer, from the first step to the last piece. */
export interface Exchange extends RequestContext {
  /** The model the request named. */
  readonly asked: ResolvedModel
  /** The model that answers; an inlet may choose another one than the request named. */
  resolved: ResolvedModel
  /** Null for a stateless call. */
  readonly turn: Turn | null
  readonly findings: Findings
  /** Over the chunks of the answer; known when the request is prepared. */
  filters: readonly StreamFilter[]
  /** The tools the gateway runs for the model itself; known when the request is prepared. */
  belt: ToolBelt | null
  /**
   * Runs the blocks of code the model writes; null where it writes none, or is given a tool
   * instead.
   */
  code: CodeRunner | null
  /** How many times the model may call tools before it has to answer with what it has. */
  readonly maxRounds: () => number
  /** For what other answers to the same question need too. */
  readonly share: SharedWork
  /**
   * Puts the text of documents into messages that went out with the documents; null without any.
   */
  readAsText:
    | ((messages: ChatCompletionRequest['messages']) => Promise<ChatCompletionRequest['messages']>)
    | null
  /** What the folder of the chat says to models, read when it is first asked for. */
  readonly folder: () => Promise<FolderContext | null>
  /** True when a filter reads attached files itself. */
  handlesFiles: boolean
  /** Of the call that asks; null for those that are not recorded. */
  readonly notes: CallNotes | null
  /** Ends what the filters hold open. */
  closeFilters: () => void
  readonly allTold: AnswerContact['allTold']
  /** Adds sources, shows them in the windows and keeps them with the message. */
  addSources(sources: readonly Source[]): void
}

interface ExchangeOptions {
  readonly caller: Caller
  readonly sent: ChatCompletionRequest
  readonly resolved: ResolvedModel
  readonly turn: Turn | null
  readonly signal: AbortSignal
  readonly headers?: CallOrigin['headers']
  readonly notes?: CallNotes | null
  /** With the other answers of a fan-out. */
  readonly share?: SharedWork
}

export const noFindings = (turn?: Turn | null): Findings => ({
  // The numbers the first part of an answer cites stay those of its sources.
  sources: [...(turn?.begun?.sources ?? [])],
  leftOut: [],
  output: [],
})

const readFolder = async (
  { chats }: CompletionsParts,
  turn: Turn | null,
): Promise<FolderContext | null> =>
  turn?.temporarySession === null ? await chats.folderContext(turn.chatId) : null

export function createExchange(parts: CompletionsParts, options: ExchangeOptions): Exchange {
  const { caller, sent, resolved, turn, signal, headers, notes = null, share = unshared } = options
  const findings = noFindings(turn)
  if (notes) noteDroppedFields(notes, sent)
  const { chatId, messageId, sessionId, tell, allTold, ask } = createContact(parts, {
    caller,
    turn,
    sentSession: sent.session_id ?? null,
  })
  let folder: Promise<FolderContext | null> | undefined
  return {
    caller,
    sent,
    asked: resolved,
    resolved,
    turn,
    signal,
    headers,
    notes,
    share,
    chatId,
    messageId,
    sessionId,
    tell,
    allTold,
    ask,
    task: null,
    findings,
    filters: [],
    belt: null,
    code: null,
    readAsText: null,
    folder: () => (folder ??= readFolder(parts, turn)),
    handlesFiles: false,
    closeFilters: () => undefined,
    maxRounds: () => parts.settings.get('CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS'),
    addSources(found) {
      const sources = turn?.begun ? freshSources(findings.sources, found) : found
      findings.sources.push(...sources)
      for (const source of sources) tell({ type: 'source', data: source })
    },
  }
}
