import type { Exchange } from '../exchange.ts'
import { runBackgroundWork } from './run-background-work.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { OpenAnswer } from '../turn/open-answer.ts'
import type { Task } from '../../tasks/index.ts'
import { runInlineOutlet } from './outlet.ts'

interface FollowUpOptions {
  readonly exchange: Exchange
  /** See `InlineOutlet`. */
  readonly answered: string
  /** See `AnswerNotices`. */
  readonly notice: string | null
  /**
   * Task of the outlet filters, begun before that of the answer ended: a client that polls for the
   * end of all tasks reads the message the filters left.
   */
  readonly filtering: Task
  /** Called when the outlet filters have run. */
  readonly onFiltered: () => void
}

/**
 * Runs the steps after a complete answer; callers wait for the outlet filters only, and stopping the
 * chat cancels it.
 */
export async function followUp(
  parts: CompletionsParts,
  opened: OpenAnswer,
  { exchange, answered, notice, filtering, onFiltered }: FollowUpOptions,
): Promise<void> {
  const { caller, sent, asked, lifetime } = exchange
  const { turn } = opened
  const { signal } = filtering
  try {
    const named = { ...sent, model: asked.publicId }
    const filtered = { turn, sent: named, answered, signal, lifetime }
    await runInlineOutlet(parts, caller, filtered).finally(() => filtering.finish())
    onFiltered()
    if (!signal.aborted && turn.temporarySession === null)
      await runAfterwards(parts, opened, exchange)
  } finally {
    if (notice !== null) await parts.notices?.release(notice)
  }
}

/** Generates title, tags and further questions. */
async function runAfterwards(
  parts: CompletionsParts,
  { turn, titleBefore, wish }: OpenAnswer,
  { caller, asked }: Exchange,
): Promise<void> {
  const { userId, chatId, messageId } = turn
  const task = parts.tasks.start({ userId, chatId, messageId, kind: 'background' })
  const { signal } = task
  try {
    await runBackgroundWork(parts, wish(), { turn, caller, resolved: asked, titleBefore, signal })
  } finally {
    task.finish()
  }
}
