import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { FolderContext } from '../chats/index.ts'
import type { CallNotes } from '../lib/serving/call-notes.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import { Lifetime } from '../lib/lifetime.ts'
import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import { freshSources } from './turn/begun-answer.ts'
import type { RanCode } from './code/ran-code.ts'
import { createContact } from './contact.ts'
import { EventTexts } from './deliver/event-texts.ts'
import type { StreamFilter } from '../extensions/filters.ts'
import type { RequestContext } from '../extensions/request-context.ts'
import type { ToolBelt } from '../extensions/tool-belt.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { noteDroppedFields } from '../providers/index.ts'
import type { Turn } from './turn/open-turn.ts'
import { unshared, type SharedWork } from './turn/shared-work.ts'
import type { OutputItem } from './tools/output-items.ts'

/** Parts of an answer other than the text of the model. */
export interface Findings {
  /** Sources in the order in which the model cites them. */
  readonly sources: Source[]
  /** Model an inlet chose instead of the requested one. */
  chosenModelId?: string
  /** Names of attached files of which the model receives nothing. */
  readonly leftOut: string[]
  /** Texts, calls and results in order; empty for an answer without tools. */
  readonly output: OutputItem[]
}

/** Runs code for the model of one answer. */
export interface CodeRunner {
  readonly mostRounds: () => number
  readonly run: (code: string) => Promise<RanCode>
  /** Releases the state kept for this answer only. */
  readonly close: () => Promise<void>
}

/** One request and its answer, from the first step to the last chunk. */
export interface Exchange extends RequestContext {
  /** Model named in the request. */
  readonly asked: ResolvedModel
  /** Model that answers; an inlet may choose a different one than the request named. */
  resolved: ResolvedModel
  prepared?: NonNullable<RequestContext['prepared']>
  /** Null for a stateless call. */
  readonly turn: Turn | null
  readonly findings: Findings
  /** Filters of the answer's chunks; known when the request is prepared. */
  filters: readonly StreamFilter[]
  /** Tools the gateway itself runs for the model; known when the request is prepared. */
  belt: ToolBelt | null
  /**
   * Runs the code blocks the model writes; null if it writes none, or has a tool for code instead.
   */
  code: CodeRunner | null
  /**
   * Returns how many times the model may call tools before it has to answer with the results so
   * far.
   */
  readonly maxRounds: () => number
  /** Runs work that other answers to the same question need as well. */
  readonly share: SharedWork
  /**
   * Replaces the documents in messages with their text, after the documents themselves were sent;
   * null without documents.
   */
  readAsText:
    | ((messages: ChatCompletionRequest['messages']) => Promise<ChatCompletionRequest['messages']>)
    | null
  /**
   * True if documents at an address, which the gateway does not open, stay as they came until it
   * shows that the provider does not take them.
   */
  keepsLinkedDocuments: boolean
  /** Returns the instructions of the chat's folder for models, read on first use. */
  readonly folder: () => Promise<FolderContext | null>
  /** True when a filter reads attached files itself. */
  handlesFiles: boolean
  /** Notes of the requesting call; null for calls that are not recorded. */
  readonly notes: CallNotes | null
  /** Releases the resources of the filters. */
  closeFilters: () => void
  /** Adds sources, shows them in the windows and stores them with the message. */
  addSources(sources: readonly Source[]): void
  readonly lifetime: Lifetime
  /** Texts of events for a reader without a window; null for an answer that nobody reads so. */
  eventTexts: EventTexts | null
}

interface ExchangeOptions {
  readonly caller: Caller
  readonly sent: ChatCompletionRequest
  readonly resolved: ResolvedModel
  readonly turn: Turn | null
  readonly signal: AbortSignal
  readonly headers?: CallOrigin['headers']
  readonly notes?: CallNotes | null
  readonly keepsLinkedDocuments?: boolean
  /** Work shared with the other answers of a fan-out. */
  readonly share?: SharedWork
}

export const noFindings = (turn?: Turn | null): Findings => ({
  // Sources cited in the first part of an answer keep their numbers.
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
    onTold: (event) => exchange.eventTexts?.note(event),
  })
  let folder: Promise<FolderContext | null> | undefined
  const exchange: Exchange = {
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
    lifetime: new Lifetime(),
    eventTexts: turn === null ? new EventTexts() : null,
    task: null,
    findings,
    filters: [],
    belt: null,
    code: null,
    readAsText: null,
    keepsLinkedDocuments: options.keepsLinkedDocuments === true,
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
  return exchange
}
