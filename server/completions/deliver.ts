import type { RunStarted, completionEndpoints } from '#contract/completions.ts'
import type { Call } from '../lib/http.ts'
import type { CompletionFrame } from '../providers/index.ts'
import { DONE_FRAME, toCompletion, toErrorFrame, toSseFrame } from './dialects/chat-completions.ts'
import type { Findings } from './exchange.ts'
import type { CompletionsParts } from './index.ts'
import type { Turn } from './open-turn.ts'
import { toReaderError } from './outcome.ts'
import { runTurn, type FinishedRun } from './run-turn.ts'
import { createSseWriter } from './sse-writer.ts'
import { placeUsage, wantsUsage } from './usage-frames.ts'
import { withoutClaims } from './without-claims.ts'

export type CompletionCall = Call<typeof completionEndpoints.chatCompletions>

/** An answer about to be written. */
export interface OpenRun {
  readonly turn: Turn
  /** Sources and calls, known when the first frame comes. */
  readonly findings: Findings
  readonly frames: AsyncGenerator<CompletionFrame, void, void>
  /** Runs when the answer is complete and saved, whoever read it. */
  readonly onFinished: (run: FinishedRun) => void
}

interface DeliverOptions extends OpenRun {
  readonly call: CompletionCall
  /** What the model's preset made of the caller's wish for a stream. */
  readonly stream: boolean
}

const MAX_HEADER_LENGTH = 2000

/**
 * Who gets the text of an owned run (decisions §4): a caller with a session is answered at once and
 * reads the socket or the stored message; else `stream` decides between events and one document.
 * Windows see the run live in every case.
 */
export async function deliver(parts: CompletionsParts, options: DeliverOptions): Promise<unknown> {
  const { call, turn } = options
  setTurnHeaders(call, [turn])
  if (isAnsweredAtOnce(parts, call, turn)) {
    void writeAnswer(parts, options)
    return toStarted([turn])
  }
  return options.stream ? deliverStream(parts, options) : deliverDocument(parts, options)
}

/**
 * Whether a caller follows the answer elsewhere: over the socket of its session or, when that is no
 * live one, by reading the chat it named until the message is done. Of a chat it does not know yet
 * or that is not stored, only a socket tells.
 */
export const isAnsweredAtOnce = (
  { events }: CompletionsParts,
  { body, caller }: CompletionCall,
  turn: Turn,
): boolean =>
  Boolean(body.session_id) &&
  (events.hasSession(body.session_id!, caller.userId) ||
    (turn.temporarySession === null && !turn.isNewChat))

/** The immediate reply to a caller who follows the answer elsewhere. */
export const toStarted = (turns: readonly Turn[]): RunStarted => ({
  status: true,
  task_id: turns[0]!.task.id,
  task_ids: turns.map(({ task }) => task.id),
  chat_id: turns[0]!.chatId,
})

/** Writes an answer to its end and starts what follows it. */
export async function writeAnswer(
  parts: CompletionsParts,
  {
    turn,
    findings,
    frames,
    onFinished,
    onChunk,
  }: OpenRun & Pick<Parameters<typeof runTurn>[1], 'onChunk'>,
): Promise<FinishedRun> {
  const run = await runTurn(parts, { turn, findings, frames, onChunk })
  onFinished(run)
  return run
}

async function deliverStream(
  parts: CompletionsParts,
  { call, ...open }: DeliverOptions,
): Promise<undefined> {
  const { response, body } = call
  const { turn, findings } = open
  const writer = createSseWriter(response)
  const isUsageWanted = wantsUsage(body['stream_options'])
  const run = await writeAnswer(parts, {
    ...open,
    onChunk(received) {
      for (const chunk of placeUsage(withoutClaims(received), isUsageWanted)) {
        // A caller who had no chat learns its id from the first frame.
        const isFirst = !writer.hasBegun
        if (isFirst && turn.selectedModelId !== null)
          writer.send(toSseFrame({ selected_model_id: turn.selectedModelId }))
        if (isFirst && findings.sources.length > 0)
          writer.send(toSseFrame({ sources: findings.sources }))
        writer.send(
          toSseFrame(isFirst && turn.isNewChat ? { ...chunk, chat_id: turn.chatId } : chunk),
        )
      }
      return writer.caughtUp()
    },
  })
  const error = toReaderError(run.outcome)
  if (error && !writer.hasBegun) throw error
  if (error) writer.send(toErrorFrame(error))
  writer.send(DONE_FRAME)
  writer.end()
}

async function deliverDocument(
  parts: CompletionsParts,
  { call, ...open }: DeliverOptions,
): Promise<unknown> {
  const { turn, findings } = open
  const run = await writeAnswer(parts, open)
  const error = toReaderError(run.outcome)
  if (error) throw error
  const selected = turn.selectedModelId === null ? {} : { selected_model_id: turn.selectedModelId }
  const sources = findings.sources.length === 0 ? {} : { sources: findings.sources }
  const completion = toCompletion(run.answer, { model: call.body.model, messageId: turn.messageId })
  return { ...completion, ...selected, ...sources, chat_id: turn.chatId }
}

/** Says in headers which chat was made and what was mended. */
export function setTurnHeaders({ response }: CompletionCall, turns: readonly Turn[]): void {
  const repairs = turns.flatMap((turn) => turn.repairs)
  if (turns[0]!.isNewChat) response.setHeader('X-Chat-Id', turns[0]!.chatId)
  if (repairs.length > 0) response.setHeader('X-Chat-Repairs', toHeaderValue(repairs.join('; ')))
}

/** Ids inside the text come from callers and may hold what a header cannot carry. */
const toHeaderValue = (text: string): string =>
  text.slice(0, MAX_HEADER_LENGTH).replace(/[^\x20-\x7e]/g, '?')
