import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import type { Readings } from '../monitoring/index.ts'
import { reachDatabase } from '../system/reach-database.ts'
import { countAnswers } from './count-answers.ts'

/** Creates the measurements of a gateway, which may be read before its app exists. */
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
