import type { FanOutAnswer } from '#contract/completions.ts'
import { isAnsweredAtOnce, setTurnHeaders, toStarted } from './deliver.ts'
import type { CompletionCall } from '../completion-call.ts'
import {
  DONE_FRAME,
  toCompletion,
  toSseFrame,
  toStreamError,
} from '../dialects/chat-completions.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { OpenAnswer } from '../turn/open-answer.ts'
import { toReaderError } from '../answer/outcome.ts'
import { readsFunctionCalls, toFunctionChunk, toFunctionCompletion } from './function-calls.ts'
import { createSseWriter } from './sse-writer.ts'
import { placeUsage, wantsUsage } from './usage-frames.ts'
import { withoutClaims } from './without-claims.ts'
import { writeAnswer } from '../answer/write-answer.ts'

/**
 * Writes the answers of several models in parallel; a failing one does not affect the others.
 * Delivery is the same as for a single answer.
 */
export async function deliverFanOut(
  parts: CompletionsParts,
  call: CompletionCall,
  answers: readonly OpenAnswer[],
): Promise<unknown> {
  const turns = answers.map(({ turn }) => turn)
  setTurnHeaders(call, turns)
  if (isAnsweredAtOnce(parts, call, turns[0]!)) {
    for (const opened of answers) void writeAnswer(parts, opened)
    return toStarted(turns)
  }
  return call.body.stream ? streamAll(parts, call, answers) : collectAll(parts, call, answers)
}

/**
 * Streams the frames of all answers in order of arrival, each marked with the message it belongs
 * to.
 */
async function streamAll(
  parts: CompletionsParts,
  { response, body }: CompletionCall,
  answers: readonly OpenAnswer[],
): Promise<undefined> {
  const writer = createSseWriter(response)
  const isUsageWanted = wantsUsage(body['stream_options'])
  const isLegacy = readsFunctionCalls(body)
  const writeOne = async (opened: OpenAnswer): Promise<void> => {
    const { turn, modelId, exchange } = opened
    const { messageId, chatId, isNewChat, selectedModelId } = turn
    const mark = {
      message_id: messageId,
      model_id: modelId,
      ...(isNewChat && { chat_id: chatId }),
    }
    if (selectedModelId !== null)
      writer.send(toSseFrame({ ...mark, selected_model_id: selectedModelId }))
    let hasBegun = false
    const { outcome } = await writeAnswer(parts, opened, (received) => {
      const kept = withoutClaims(received)
      for (const chunk of placeUsage(isLegacy ? toFunctionChunk(kept) : kept, isUsageWanted)) {
        const sources = exchange instanceof Error ? [] : exchange.findings.sources
        if (!hasBegun && sources.length > 0) writer.send(toSseFrame({ ...mark, sources }))
        hasBegun = true
        writer.send(toSseFrame({ ...chunk, ...mark }))
      }
      return writer.caughtUp()
    })
    const error = toReaderError(outcome)
    if (error) writer.send(toSseFrame({ ...mark, ...toStreamError(error) }))
  }
  await Promise.all(answers.map(writeOne))
  writer.send(DONE_FRAME)
  writer.end()
}

async function collectAll(
  parts: CompletionsParts,
  { body }: CompletionCall,
  answers: readonly OpenAnswer[],
): Promise<FanOutAnswer> {
  const completions = answers.map(async (opened): Promise<FanOutAnswer['completions'][number]> => {
    const { modelId } = opened
    const { messageId } = opened.turn
    const { answer, content, findings, outcome } = await writeAnswer(parts, opened)
    const error = toReaderError(outcome)
    const { sources } = findings
    const completion = toCompletion(answer, { model: modelId, messageId, content })
    const read = readsFunctionCalls(body) ? toFunctionCompletion(completion) : completion
    return {
      message_id: messageId,
      model_id: modelId,
      completion: error
        ? null
        : {
            ...read,
            ...(sources.length > 0 && { sources }),
          },
      error: error && { message: error.message, code: error.code },
    }
  })
  return { chat_id: answers[0]!.turn.chatId, completions: await Promise.all(completions) }
}
