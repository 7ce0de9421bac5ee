import { endpoints } from '#contract/endpoints.ts'
import { forbidden } from '../../lib/errors.ts'
import { asJsonList, route, type Caller, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { ChatContext } from '../chat-context.ts'
import {
  createFolder,
  expandFolder,
  holdsChats,
  moveFolder,
  removeFolder,
  updateFolder,
} from './change-folder.ts'
import { listFolders, toFolder } from './read-folder.ts'
import { requireFolder } from './require-folder.ts'
import { restoreFolder } from './restore-folder.ts'
import { eraseFolder, listTrashedFolders } from './trashed-folders.ts'

const { folders } = endpoints

export function createFolderRoutes(
  context: ChatContext,
  mayDeleteChats: (caller: Caller) => boolean | Promise<boolean>,
): Route[] {
  return [
    route(folders.list, ({ caller }) => asJsonList(listFolders(context, caller.userId))),
    route(folders.create, async ({ caller, body }) =>
      toFolder(await createFolder(context, caller.userId, body)),
    ),
    route(folders.trash, ({ caller }) => listTrashedFolders(context, caller.userId)),
    route(folders.erase, ({ caller, params }) =>
      eraseFolder(context, caller.userId, params.folder_id),
    ),
    route(folders.get, async ({ caller, params }) =>
      toFolder(await requireFolder(context, caller.userId, params.folder_id)),
    ),
    route(folders.update, async ({ caller, params, body }) =>
      toFolder(await updateFolder(context, caller.userId, { ...body, id: params.folder_id })),
    ),
    route(folders.move, async ({ caller, params, body }) =>
      toFolder(
        await moveFolder(context, caller.userId, {
          id: params.folder_id,
          parentId: body.parent_id ?? null,
        }),
      ),
    ),
    route(folders.expand, async ({ caller, params, body }) =>
      toFolder(
        await expandFolder(context, caller.userId, {
          id: params.folder_id,
          isExpanded: body.is_expanded,
        }),
      ),
    ),
    route(folders.remove, async ({ caller, params, query }) => {
      const withChats = query.delete_contents
      if (
        withChats &&
        !(await mayDeleteChats(caller)) &&
        (await holdsChats(context, caller.userId, params.folder_id))
      ) {
        throw forbidden(
          'You do not have permission to delete chats. Move them out of the folder first, or keep them with delete_contents=false.',
        )
      }
      await runInTurns(removeFolder(context, caller.userId, { id: params.folder_id, withChats }))
    }),
    route(folders.restore, async ({ caller, params }) =>
      toFolder(await runInTurns(restoreFolder(context, caller.userId, params.folder_id))),
    ),
  ]
}
