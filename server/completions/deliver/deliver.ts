import type { ChatCompletionChunk, RunStarted } from '#contract/completions.ts'
import { DONE_FRAME, toCompletion, toErrorFrame, toSseFrame } from '../dialects/chat-completions.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { OpenAnswer } from '../turn/open-answer.ts'
import type { Turn } from '../turn/open-turn.ts'
import { toReaderError } from '../answer/outcome.ts'
import { EventTexts } from './event-texts.ts'
import { readsFunctionCalls, toFunctionChunk, toFunctionCompletion } from './function-calls.ts'
import { createSseWriter } from './sse-writer.ts'
import { placeUsage, wantsUsage } from './usage-frames.ts'
import { withoutClaims } from './without-claims.ts'
import { writeAnswer } from '../answer/write-answer.ts'
import type { CompletionCall } from '../completion-call.ts'

interface DeliverOptions {
  readonly call: CompletionCall
  readonly opened: OpenAnswer
  /**
   * True if the answer is streamed, after the model's preset has been applied to the caller's
   * `stream`.
   */
  readonly stream: boolean
}

const MAX_HEADER_LENGTH = 2000

/**
 * Delivers the text of an owned run (docs/decisions.md): a caller with a session is answered at
 * once and reads the socket or the stored message; otherwise `stream` decides between events and
 * one document. Windows see the run live in every case.
 */
export async function deliver(parts: CompletionsParts, options: DeliverOptions): Promise<unknown> {
  const { call, opened, stream } = options
  const { turn } = opened
  setTurnHeaders(call, [turn])
  if (isAnsweredAtOnce(parts, call, turn)) {
    void writeAnswer(parts, opened)
    return toStarted([turn])
  }
  return stream ? deliverStream(parts, call, opened) : deliverDocument(parts, call, opened)
}

/**
 * Returns true if a caller follows the answer elsewhere: over the socket of its session or, if that
 * session is not connected, by reading the chat it named until the message is done. A chat that the
 * caller does not know yet or that is not stored can be followed only over a socket.
 */
export const isAnsweredAtOnce = (
  { events }: CompletionsParts,
  { body, caller }: CompletionCall,
  turn: Turn,
): boolean =>
  Boolean(body.session_id) &&
  (events.hasSession(body.session_id!, caller.userId) ||
    (turn.temporarySession === null && !turn.isNewChat))

/** Returns the immediate reply to a caller that follows the answer elsewhere. */
export const toStarted = (turns: readonly Turn[]): RunStarted => ({
  status: true,
  task_id: turns[0]!.task.id,
  task_ids: turns.map(({ task }) => task.id),
  chat_id: turns[0]!.chatId,
})

/** Returns the reply to a caller that waits at a session for an answer that has no message. */
export const toIdle = (chatId: string): RunStarted => ({
  status: true,
  task_id: null,
  task_ids: [],
  chat_id: chatId,
})

async function deliverStream(
  parts: CompletionsParts,
  { response, body }: CompletionCall,
  opened: OpenAnswer,
): Promise<undefined> {
  const { turn } = opened
  const writer = createSseWriter(response)
  const isUsageWanted = wantsUsage(body['stream_options'])
  const isLegacy = readsFunctionCalls(body)
  const texts = new EventTexts()
  if (!(opened.exchange instanceof Error)) opened.exchange.eventTexts = texts
  const toRead = (received: ChatCompletionChunk): readonly ChatCompletionChunk[] => {
    const kept = withoutClaims(received)
    return placeUsage(isLegacy ? toFunctionChunk(kept) : kept, isUsageWanted)
  }
  const { outcome } = await writeAnswer(parts, opened, (received) => {
    for (const chunk of texts.insert(received).flatMap(toRead)) {
      // The first frame carries the chat id to a caller that had no chat.
      const isFirst = !writer.hasBegun
      if (isFirst) for (const extra of toFirstFrames(opened)) writer.send(toSseFrame(extra))
      writer.send(
        toSseFrame(isFirst && turn.isNewChat ? { ...chunk, chat_id: turn.chatId } : chunk),
      )
    }
    return writer.caughtUp()
  })
  const error = toReaderError(outcome)
  if (error && !writer.hasBegun) throw error
  if (error) writer.send(toErrorFrame(error))
  writer.send(DONE_FRAME)
  writer.end()
}

/**
 * Returns the frames a stream starts with: the model an arena chose, and the sources of the answer.
 */
function toFirstFrames({ turn: { selectedModelId }, exchange }: OpenAnswer): object[] {
  const sources = exchange instanceof Error ? [] : exchange.findings.sources
  return [
    ...(selectedModelId === null ? [] : [{ selected_model_id: selectedModelId }]),
    ...(sources.length === 0 ? [] : [{ sources }]),
  ]
}

async function deliverDocument(
  parts: CompletionsParts,
  { body }: CompletionCall,
  opened: OpenAnswer,
): Promise<unknown> {
  const { turn } = opened
  const { answer, content, findings, outcome } = await writeAnswer(parts, opened)
  const error = toReaderError(outcome)
  if (error) throw error
  const selected = turn.selectedModelId === null ? {} : { selected_model_id: turn.selectedModelId }
  const sources = findings.sources.length === 0 ? {} : { sources: findings.sources }
  const completion = toCompletion(answer, {
    model: body.model,
    messageId: turn.messageId,
    content,
  })
  const read = readsFunctionCalls(body) ? toFunctionCompletion(completion) : completion
  return { ...read, ...selected, ...sources, chat_id: turn.chatId }
}

/** Sets headers naming the created chat and the repairs. */
export function setTurnHeaders({ response }: CompletionCall, turns: readonly Turn[]): void {
  const repairs = turns.flatMap((turn) => turn.repairs)
  if (turns[0]!.isNewChat) response.setHeader('X-Chat-Id', turns[0]!.chatId)
  if (repairs.length > 0) response.setHeader('X-Chat-Repairs', toHeaderValue(repairs.join('; ')))
}

/** Ids in the text come from callers and may contain characters that are not allowed in headers. */
const toHeaderValue = (text: string): string =>
  text.slice(0, MAX_HEADER_LENGTH).replace(/[^\x20-\x7e]/g, '?')
