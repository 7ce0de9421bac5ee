import type { App } from '../app.ts'
import type { Context } from '../context.ts'

/** How many answers are being written, for windows and for programs. */
export function countAnswers({ tasks }: Pick<Context, 'tasks'>, app: App): number {
  const runs = tasks.list().filter(({ kind }) => kind !== 'background')
  // One that a window asked for is both a run and a reply.
  return Math.max(runs.length, app.countModelReplies())
}
