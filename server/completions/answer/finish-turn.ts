import type { AnswerPatch, WrittenFields } from '../../chats/index.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import { nextTurn } from '../../lib/turns.ts'
import type { Answer } from './answer.ts'
import { closeHeld, CUT_OFF } from '../turn/close-held.ts'
import { joinOutput } from '../turn/begun-answer.ts'
import type { Findings } from '../exchange.ts'
import { toAnswerPatch, toMessageError, type Outcome } from './outcome.ts'
import { LONG_UNITS } from './publish-answer.ts'
import type { Turn } from '../turn/open-turn.ts'
import type { RunParts } from '../turn/open-answer.ts'
import { toOutput, type OutputItem } from '../tools/output-items.ts'

const RETRY_SAVE_MS = 2000

interface Ending {
  readonly turn: Turn
  readonly answer: Answer
  readonly findings: Findings
  readonly outcome: Outcome
}

/**
 * Yields to the event loop before a long text is written or sent, so that other work can run
 * between many long answers that end together.
 */
export const giveWay = (answer: Answer): Promise<void> | undefined =>
  answer.size >= LONG_UNITS ? nextTurn() : undefined

/**
 * Returns the JSON of the output items of a long answer, serialized in a separate turn of the event
 * loop.
 */
async function writeLong(answer: Answer, output: readonly OutputItem[]): Promise<WrittenFields> {
  const way = output.length > 0 ? giveWay(answer) : undefined
  if (!way) return {}
  await way
  const written = { output: JSON.stringify(output) }
  await giveWay(answer)
  return written
}

/**
 * Closes a turn: saves the message as done, notifies the windows and ends the task. Resolves with
 * the notice to send (`AnswerNotices`), and with the text of the answer including what events wrote
 * into it.
 */
export async function finishTurn(
  parts: RunParts,
  { turn, answer, findings, outcome }: Ending,
): Promise<{ notice: string | null; content: string }> {
  const { events, live, log } = parts
  const { userId, chatId, messageId } = turn
  const isDeleted = outcome.kind === 'stopped' && outcome.reason === 'deleted'
  if (outcome.kind === 'failed' && outcome.error.status === 500) {
    log.error({ error: outcome.error.cause ?? outcome.error }, 'an answer failed unexpectedly')
  }
  const { text: content } = parts.chats.wovenText(chatId, messageId, answer.content)
  let saved: Saved | null = null
  if (isDeleted) {
    live.remove(chatId, messageId)
    if (turn.temporarySession === null) void closeDropped(parts, turn)
  } else {
    const selectedModelId = findings.chosenModelId ?? turn.selectedModelId
    const selected = selectedModelId === null ? {} : { selectedModelId }
    const output = toOutput(answer, joinOutput(turn.begun, answer.content, findings.output))
    const patch = {
      ...toAnswerPatch(answer),
      ...(output.length > 0 && { output }),
      ...selected,
      answer_seconds: answer.seconds,
      done: true,
      error: toMessageError(outcome),
    }
    const written = await writeLong(answer, output)
    saved = await saveOrRetry(parts, turn, {
      patch,
      written,
      isComplete: outcome.kind === 'complete',
    })
    if (saved.isGone === true && turn.task.writer !== null) {
      // Another gateway assumed that this one was dead, and ended the answer.
      parts.tasks.stop(turn.task.id, 'deleted')
      turn.task.finish()
      return { notice: null, content }
    }
    const way = giveWay(answer)
    if (way) await way
    const data = { ...patch, content, error: patch.error ?? saved.error }
    events.emit(userId, {
      chat_id: chatId,
      message_id: messageId,
      data: { type: 'chat:completion', data },
    })
  }
  turn.task.finish()
  await announceRest(parts, turn, saved !== null && saved.error === undefined)
  return { notice: saved?.notice ?? null, content }
}

/**
 * Ends the answer of a run that was dropped because its message is gone or was ended elsewhere, so
 * that nothing stays open.
 */
async function closeDropped({ chats, events }: RunParts, turn: Turn): Promise<void> {
  const { userId, chatId, messageId } = turn
  if (!(await closeHeld(chats, turn.task))) return
  events.emit(userId, {
    chat_id: chatId,
    message_id: messageId,
    data: { type: 'chat:completion', data: { done: true, error: CUT_OFF } },
  })
}

/**
 * Announces to chat lists that no answer is being written in a chat any more, and when the chat was
 * last changed; a failed disk is not read.
 */
async function announceRest(
  { chats, events, tasks }: RunParts,
  { userId, chatId }: Turn,
  isSaved: boolean,
): Promise<void> {
  if (tasks.ofChat(chatId).some((task) => task.userId === userId)) return
  // If the database has become unavailable since, the time is omitted.
  const updatedAt = isSaved ? await chats.updatedAt(chatId).catch(() => null) : null
  const data = { active: false, ...(updatedAt !== null && { updated_at: updatedAt }) }
  events.emit(userId, { chat_id: chatId, message_id: null, data: { type: 'chat:active', data } })
}

interface Saved {
  readonly notice: string | null
  /** The message was deleted, or another gateway ended it. */
  readonly isGone?: boolean
  readonly error?: { content: string; code: string }
}

/**
 * Saves the finished answer. If the disk fails, the text stays readable from memory and saving is
 * retried until it succeeds; the result then holds the error.
 */
async function saveOrRetry(
  parts: RunParts,
  turn: Turn,
  {
    patch,
    written,
    isComplete,
  }: { patch: AnswerPatch; written: WrittenFields; isComplete: boolean },
): Promise<Saved> {
  const { chats, live, log, notices } = parts
  const { chatId, messageId } = turn
  let isGone = false
  const save = async (): Promise<void> => {
    if (!(await chats.saveAnswer(chatId, messageId, patch, { written }))) isGone = true
  }
  let notice: string | null = null
  try {
    if (isComplete && notices) notice = await notices.save(turn, save)
    else await save()
    live.remove(chatId, messageId)
    return isGone ? { notice: null, isGone } : { notice }
  } catch (error) {
    const reason = toServiceError(error)
    log.error({ error, chat_id: chatId }, 'a finished answer could not be saved')
    const read = () => patch
    live.add(chatId, messageId, read)
    retryLater(parts, turn, read)
    return { notice: null, error: { content: reason.message, code: reason.code } }
  }
}

function retryLater(parts: RunParts, turn: Turn, read: () => AnswerPatch): void {
  const { chats, live, closing } = parts
  const { chatId, messageId } = turn
  const retry = async () => {
    if (closing.aborted || !live.holds(chatId, messageId, read)) return
    try {
      await chats.saveAnswer(chatId, messageId, read())
      live.remove(chatId, messageId)
    } catch {
      // The save failed again. The failure was logged when it first happened.
      retryLater(parts, turn, read)
    }
  }
  setTimeout(() => void retry(), RETRY_SAVE_MS).unref()
}
