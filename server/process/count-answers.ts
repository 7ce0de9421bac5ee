import type { App } from '../app.ts'
import type { Context } from '../context.ts'

/** Returns how many answers are being written, for windows and for API clients. */
export function countAnswers({ tasks }: Pick<Context, 'tasks'>, app: App): number {
  const runs = tasks.list().filter(({ kind }) => kind === 'answer' || kind === 'action')
  // An answer requested by a window is both a run and a reply.
  return Math.max(runs.length, app.countModelReplies())
}
