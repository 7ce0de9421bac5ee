import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { EventData } from '#contract/events.ts'
import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../models/index.ts'
import type { ExtensionContext, ToolBelt } from './extensions.ts'
import { STREAM_FILTERS, type StreamFilter } from './filter-stream.ts'
import type { CompletionsParts } from './index.ts'
import { turnEvents, type Turn } from './open-turn.ts'
import type { OutputItem } from './tools/output-items.ts'

/** What an answer consists of besides the text of the model. */
export interface Findings {
  /** In the order the model cites them by. */
  readonly sources: Source[]
  /** Texts, calls and results in order; empty for an answer without tools. */
  readonly output: OutputItem[]
}

/** One request and its answer, from the first step to the last piece. */
export interface Exchange extends ExtensionContext {
  /** Null for a stateless call. */
  readonly turn: Turn | null
  readonly findings: Findings
  /** Over the chunks of the answer; known when the request is prepared. */
  filters: readonly StreamFilter[]
  /** The tools the gateway runs for the model itself; known when the request is prepared. */
  belt: ToolBelt | null
  /** How many times the model may call tools before it has to answer with what it has. */
  readonly maxRounds: number
  /** True when a filter reads attached files itself. */
  handlesFiles: boolean
  /** Adds sources, shows them in the windows and keeps them with the message. */
  addSources(sources: readonly Source[]): void
}

interface ExchangeOptions {
  readonly caller: Caller
  readonly sent: ChatCompletionRequest
  readonly resolved: ResolvedModel
  readonly turn: Turn | null
  readonly signal: AbortSignal
}

export const noFindings = (): Findings => ({ sources: [], output: [] })

export function createExchange(parts: CompletionsParts, options: ExchangeOptions): Exchange {
  const { caller, sent, turn } = options
  const findings = noFindings()
  const tell = (event: EventData): void => {
    if (turn) tellTurn(parts, turn, event)
  }
  const findSession = (): string | null => {
    const { session_id: sessionId } = sent
    return sessionId && parts.events.hasSession(sessionId, caller.userId) ? sessionId : null
  }
  return {
    ...options,
    chatId: turn?.chatId ?? null,
    messageId: turn?.messageId ?? null,
    get sessionId() {
      return findSession()
    },
    get maxRounds() {
      return parts.settings.integer('CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS')
    },
    findings,
    filters: STREAM_FILTERS,
    belt: null,
    handlesFiles: false,
    tell,
    ask(event) {
      const sessionId = findSession()
      if (!sessionId || !turn) return Promise.reject(new Error('There is no open window that could answer.'))
      const timeoutMs = parts.settings.integer('WEBSOCKET_EVENT_CALLER_TIMEOUT') * 1000
      const place = { chat_id: turn.chatId, message_id: turn.messageId }
      return parts.events.call(sessionId, caller.userId, { ...place, data: event }, timeoutMs)
    },
    addSources(sources) {
      findings.sources.push(...sources)
      for (const source of sources) tell({ type: 'source', data: source })
    },
  }
}

/** Sends an event of an answer to the windows that show it, and stores it where its type persists. */
export function tellTurn(parts: Pick<CompletionsParts, 'chats' | 'events' | 'log'>, turn: Turn, data: EventData): void {
  const { userId, chatId, messageId, temporarySession } = turn
  try {
    if (temporarySession === null) parts.chats.applyEvent(chatId, messageId, data)
  } catch (error) {
    // The message was deleted meanwhile, or the disk is full. The answer itself finds out when it is saved.
    parts.log.info({ error, chat_id: chatId, type: data.type }, 'an event of an answer could not be stored')
  }
  turnEvents(parts.events, turn).emit(userId, { chat_id: chatId, message_id: messageId, data })
}
