import type { RunStarted, completionEndpoints } from '#contract/completions.ts'
import type { Call } from '../lib/http.ts'
import type { CompletionFrame } from '../providers/index.ts'
import { DONE_FRAME, toCompletion, toErrorFrame, toSseFrame } from './dialects/chat-completions.ts'
import type { CompletionsParts } from './index.ts'
import type { Turn } from './open-turn.ts'
import { toReaderError } from './outcome.ts'
import { runTurn, type FinishedRun } from './run-turn.ts'
import { createSseWriter } from './sse-writer.ts'

export type CompletionCall = Call<typeof completionEndpoints.chatCompletions>

interface DeliverOptions {
  readonly call: CompletionCall
  readonly turn: Turn
  readonly frames: AsyncGenerator<CompletionFrame, void, void>
  /** Runs when the answer is complete and saved, whoever read it. */
  readonly onFinished: (run: FinishedRun) => void
}

/** A reader of an owned run that lags this far behind is let go: it may not slow the run. */
const MAX_BACKLOG_BYTES = 1024 * 1024
const MAX_HEADER_LENGTH = 2000

/**
 * Who gets the text of an owned run (decisions §4): a live session of the caller is answered at once and reads the
 * socket; else `stream` decides between events and one document. Windows see the run live in every case.
 */
export async function deliver(parts: CompletionsParts, options: DeliverOptions): Promise<unknown> {
  const { call, turn, onFinished } = options
  setTurnHeaders(call, turn)
  const { session_id: sessionId, stream } = call.body
  if (sessionId && parts.events.hasSession(sessionId, turn.userId)) {
    void runTurn(parts, options).then(onFinished)
    return startedRun(turn)
  }
  return stream ? deliverStream(parts, options) : deliverDocument(parts, options)
}

const startedRun = ({ task, chatId }: Turn): RunStarted => ({ status: true, task_id: task.id, task_ids: [task.id], chat_id: chatId })

async function deliverStream(parts: CompletionsParts, { call, turn, frames, onFinished }: DeliverOptions): Promise<undefined> {
  const { response, body } = call
  const writer = createSseWriter(response)
  const wantsUsage = isUsageAsked(body['stream_options'])
  const run = await runTurn(parts, {
    turn,
    frames,
    onChunk(chunk) {
      if (chunk.choices.length === 0 && chunk.usage && !wantsUsage) return
      // A caller who had no chat learns its id from the first frame.
      const isFirst = turn.isNewChat && !writer.hasBegun
      writer.send(toSseFrame(isFirst ? { ...chunk, chat_id: turn.chatId } : chunk))
      if (response.writableLength > MAX_BACKLOG_BYTES) writer.drop()
    },
  })
  onFinished(run)
  const error = toReaderError(run.outcome)
  if (error && !writer.hasBegun) throw error
  if (error) writer.send(toErrorFrame(error))
  writer.send(DONE_FRAME)
  writer.end()
}

async function deliverDocument(parts: CompletionsParts, { call, turn, frames, onFinished }: DeliverOptions): Promise<unknown> {
  const run = await runTurn(parts, { turn, frames })
  onFinished(run)
  const error = toReaderError(run.outcome)
  if (error) throw error
  return { ...toCompletion(run.answer, { model: call.body.model, messageId: turn.messageId }), chat_id: turn.chatId }
}

const isUsageAsked = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true

function setTurnHeaders({ response }: CompletionCall, turn: Turn): void {
  if (turn.isNewChat) response.setHeader('X-Chat-Id', turn.chatId)
  if (turn.repairs.length > 0) response.setHeader('X-Chat-Repairs', toHeaderValue(turn.repairs.join('; ')))
}

/** Ids inside the text come from callers and may hold what a header cannot carry. */
const toHeaderValue = (text: string): string => text.slice(0, MAX_HEADER_LENGTH).replace(/[^\x20-\x7e]/g, '?')
