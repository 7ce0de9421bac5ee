import type { FanOutAnswer } from '#contract/completions.ts'
import { toErrorBody } from '../lib/to-error.ts'
import {
  isAnsweredAtOnce,
  setTurnHeaders,
  toStarted,
  writeAnswer,
  type CompletionCall,
  type OpenRun,
} from './deliver.ts'
import { DONE_FRAME, toCompletion, toSseFrame } from './dialects/chat-completions.ts'
import type { CompletionsParts } from './index.ts'
import { toReaderError } from './outcome.ts'
import { createSseWriter } from './sse-writer.ts'
import { placeUsage, wantsUsage } from './usage-frames.ts'
import { withoutClaims } from './without-claims.ts'

/** One of several answers to a question. */
export interface FanOutRun extends OpenRun {
  readonly modelId: string
}

/**
 * Writes the answers of several models side by side; one that fails leaves the others alone.
 * Delivered as a single answer is.
 */
export async function deliverFanOut(
  parts: CompletionsParts,
  call: CompletionCall,
  runs: readonly FanOutRun[],
): Promise<unknown> {
  const turns = runs.map(({ turn }) => turn)
  setTurnHeaders(call, turns)
  if (isAnsweredAtOnce(parts, call, turns[0]!)) {
    for (const run of runs) void writeAnswer(parts, run)
    return toStarted(turns)
  }
  return call.body.stream ? streamAll(parts, call, runs) : collectAll(parts, runs)
}

/** The frames of all answers in the order they come, each marked with the message it belongs to. */
async function streamAll(
  parts: CompletionsParts,
  { response, body }: CompletionCall,
  runs: readonly FanOutRun[],
): Promise<undefined> {
  const writer = createSseWriter(response)
  const isUsageWanted = wantsUsage(body['stream_options'])
  const writeOne = async (run: FanOutRun): Promise<void> => {
    const { messageId, chatId, isNewChat, selectedModelId } = run.turn
    const mark = {
      message_id: messageId,
      model_id: run.modelId,
      ...(isNewChat && { chat_id: chatId }),
    }
    if (selectedModelId !== null)
      writer.send(toSseFrame({ ...mark, selected_model_id: selectedModelId }))
    let hasBegun = false
    const { outcome } = await writeAnswer(parts, {
      ...run,
      onChunk(received) {
        for (const chunk of placeUsage(withoutClaims(received), isUsageWanted)) {
          const { sources } = run.findings
          if (!hasBegun && sources.length > 0) writer.send(toSseFrame({ ...mark, sources }))
          hasBegun = true
          writer.send(toSseFrame({ ...chunk, ...mark }))
        }
        return writer.caughtUp()
      },
    })
    const error = toReaderError(outcome)
    if (error)
      writer.send(toSseFrame({ ...mark, error: toErrorBody(error, 'chat-completions')['error'] }))
  }
  await Promise.all(runs.map(writeOne))
  writer.send(DONE_FRAME)
  writer.end()
}

async function collectAll(
  parts: CompletionsParts,
  runs: readonly FanOutRun[],
): Promise<FanOutAnswer> {
  const completions = runs.map(async (run): Promise<FanOutAnswer['completions'][number]> => {
    const { messageId } = run.turn
    const { answer, outcome } = await writeAnswer(parts, run)
    const error = toReaderError(outcome)
    const { sources } = run.findings
    return {
      message_id: messageId,
      model_id: run.modelId,
      completion: error
        ? null
        : {
            ...toCompletion(answer, { model: run.modelId, messageId }),
            ...(sources.length > 0 && { sources }),
          },
      error: error && { message: error.message, code: error.code },
    }
  })
  return { chat_id: runs[0]!.turn.chatId, completions: await Promise.all(completions) }
}
