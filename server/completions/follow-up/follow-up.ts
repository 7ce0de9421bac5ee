import type { Exchange } from '../exchange.ts'
import { runBackgroundWork } from './run-background-work.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { OpenAnswer } from '../turn/open-answer.ts'
import { runInlineOutlet } from './outlet.ts'
import type { WrittenAnswer } from '../turn/open-answer.ts'

interface FollowUpOptions {
  readonly exchange: Exchange
  readonly notice: WrittenAnswer['notice']
  /** Called when the outlet filters have run. */
  readonly onFiltered: () => void
}

/**
 * Runs the steps after a complete answer; callers wait for the outlet filters only, and stopping the
 * chat cancels it.
 */
export async function followUp(
  parts: CompletionsParts,
  { turn, titleBefore, wish }: OpenAnswer,
  { exchange, notice, onFiltered }: FollowUpOptions,
): Promise<void> {
  const { caller, sent, asked } = exchange
  const { userId, chatId, messageId } = turn
  const task = parts.tasks.start({ userId, chatId, messageId, kind: 'background' })
  const { signal } = task
  try {
    const named = { ...sent, model: asked.publicId }
    await runInlineOutlet(parts, caller, { turn, sent: named, signal })
    onFiltered()
    if (signal.aborted) return
    await runBackgroundWork(parts, wish(), { turn, caller, resolved: asked, titleBefore, signal })
  } finally {
    task.finish()
    if (notice !== null) await parts.notices?.release(notice)
  }
}
