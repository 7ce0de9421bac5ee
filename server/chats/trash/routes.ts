import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import { describeChat, type ChatContext } from '../chat-context.ts'
import { emptyTrash, eraseChat } from './erase-chats.ts'
import { trashChats } from './trash-chats.ts'
import { oldestInTrash } from './trash-time.ts'

const { chats } = endpoints

/** Creates the routes for items deleted within the last 30 days. */
export function createTrashRoutes(context: ChatContext): Route[] {
  return [
    route(chats.trash, async ({ caller, query: { page = 1, query } }) =>
      (await context.trash.page(caller.userId, { since: oldestInTrash(), page, query })).map(
        (row) => ({ ...describeChat(context, row), deleted_at: row.deleted_at }),
      ),
    ),
    route(chats.moveToTrash, ({ caller, body }) =>
      runInTurns(trashChats(context, caller.userId, body.ids)),
    ),
    route(chats.emptyTrash, ({ caller }) => runInTurns(emptyTrash(context, caller.userId))),
    route(chats.erase, ({ caller, params }) => eraseChat(context, caller.userId, params.chat_id)),
  ]
}
