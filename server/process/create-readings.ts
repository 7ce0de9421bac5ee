import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import type { Readings } from '../monitoring/index.ts'
import { reachDatabase } from '../system/reach-database.ts'
import { countAnswers } from './count-answers.ts'

/** What a gateway tells of itself when it is measured, which may be before its app is there. */
export function createReadings(context: Context, app: () => App): Readings {
  const { files, storage } = context
  return {
    runningStreams: () => countAnswers(context, app()),
    openReplies: () => app().replies.count(() => true),
    unread: () => files.unread(),
    connections: () => storage.connections,
    async isDatabaseThere() {
      await reachDatabase(storage)
      return true
    },
  }
}
