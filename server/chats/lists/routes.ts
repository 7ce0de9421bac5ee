import { endpoints } from '#contract/endpoints.ts'
import { asJsonList, httpRoute, route, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import { describeChat, requireChat, type ChatContext } from '../chat-context.ts'
import { requireFolder } from '../folders/require-folder.ts'
import { describeChats } from './list-chats.ts'
import { archiveAll, trashAll, unarchiveAll } from './change-all.ts'
import { countUsage } from './count-usage.ts'
import { describeStatistics, exportStatistics } from './export-statistics.ts'
import { sendChats } from './stream-chats.ts'

const { chats } = endpoints
const FOLDER_PAGE = 10

/** Creates the routes for additional lists, chat statistics, and changes to all chats. */
export function createListRoutes(context: ChatContext): Route[] {
  const { lists, folders } = context
  return [
    route(chats.archived, async ({ caller, query }) =>
      asJsonList(describeChats(context, await lists.sorted(caller.userId, 'archived', query))),
    ),
    route(chats.shared, async ({ caller, query }) =>
      asJsonList(
        describeChats(context, await lists.sorted(caller.userId, 'shared', query)),
        (item) => ({
          ...item,
          chat_id: item.id,
        }),
      ),
    ),
    httpRoute(chats.all, (call) =>
      sendChats(context, lists.idsIn(call.caller.userId, 'unarchived'), call),
    ),
    httpRoute(chats.allArchived, (call) =>
      sendChats(context, lists.idsIn(call.caller.userId, 'archived'), call),
    ),
    httpRoute(chats.allOfEverybody, (call) => sendChats(context, lists.idsOfEverybody(), call)),
    route(chats.listOfUser, async ({ params, query }) =>
      asJsonList(describeChats(context, await lists.sorted(params.user_id, 'everything', query))),
    ),
    httpRoute(chats.inFolder, async (call) => {
      const folder = await requireFolder(context, call.caller.userId, call.params.folder_id)
      return sendChats(
        context,
        await lists.idsInFolders(call.caller.userId, await folders.withDescendants(folder.id)),
        call,
      )
    }),
    route(chats.listInFolder, async ({ caller, params, query }) => {
      const folder = await requireFolder(context, caller.userId, params.folder_id)
      const slice = { offset: (query.page - 1) * FOLDER_PAGE, limit: FOLDER_PAGE }
      return (await lists.inFolder(caller.userId, folder.id, slice)).map((row) =>
        describeChat(context, row),
      )
    }),
    route(chats.usage, ({ caller, query }) =>
      runInTurns(
        countUsage(context, caller.userId, { page: query.page, size: query.items_per_page }),
      ),
    ),
    route(chats.exportStatistics, ({ caller, query }) =>
      runInTurns(exportStatistics(context, caller.userId, query)),
    ),
    route(chats.exportStatisticsOfOne, async ({ caller, params }) =>
      runInTurns(
        describeStatistics(context, await requireChat(context, caller.userId, params.chat_id)),
      ),
    ),
    route(chats.archiveAll, ({ caller }) => runInTurns(archiveAll(context, caller.userId))),
    route(chats.unarchiveAll, ({ caller }) => runInTurns(unarchiveAll(context, caller.userId))),
    route(chats.removeAll, ({ caller }) => runInTurns(trashAll(context, caller.userId))),
  ]
}
