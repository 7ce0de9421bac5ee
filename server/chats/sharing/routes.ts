import type { Chat } from '#contract/chats.ts'
import { endpoints } from '#contract/endpoints.ts'
import { asJsonPieces, route, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import { markRead, moveChat, toggleArchive } from '../change-chat.ts'
import { describeChat, requireChat, type ChatContext } from '../chat-context.ts'
import { replyWith } from '../reply.ts'
import { requireStoring } from '../require-permitted.ts'
import { cloneChat, cloneShared, forkChat } from './copy-chat.ts'
import { readAccess, requireShare, shareChat, unshareChat, updateAccess } from './share-chat.ts'

const { chats } = endpoints

function createPlaceRoutes(context: ChatContext): Route[] {
  return [
    route(
      chats.isPinned,
      async ({ caller, params }) =>
        (await requireChat(context, caller.userId, params.chat_id)).pinned === 1,
    ),
    route(chats.archive, async ({ caller, params, query }) =>
      replyWith(context, await toggleArchive(context, caller.userId, params.chat_id), query.reply),
    ),
    route(chats.move, async ({ caller, params, query, body }) => {
      const place = { chatId: params.chat_id, folderId: body.folder_id ?? null }
      return replyWith(context, await moveChat(context, caller.userId, place), query.reply)
    }),
    route(chats.read, async ({ caller, params }) =>
      describeChat(
        context,
        await markRead(context, caller.userId, { chatId: params.chat_id, isRead: true }),
      ),
    ),
    route(chats.unread, async ({ caller, params }) =>
      describeChat(
        context,
        await markRead(context, caller.userId, { chatId: params.chat_id, isRead: false }),
      ),
    ),
  ]
}

function createCopyRoutes(context: ChatContext): Route[] {
  return [
    route(chats.clone, async ({ caller, params, query, body }) => {
      await requireStoring(context, caller)
      const place = { chatId: params.chat_id, title: body.title }
      return replyWith(
        context,
        await runInTurns(cloneChat(context, caller.userId, place)),
        query.reply,
      )
    }),
    route(chats.cloneShared, async ({ caller, params, query }) => {
      await requireStoring(context, caller)
      return replyWith(context, await cloneShared(context, caller, params.share_id), query.reply)
    }),
    route(chats.fork, async ({ caller, params, query, body }) => {
      await requireStoring(context, caller)
      const place = { chatId: params.chat_id, messageId: body.message_id, title: body.title }
      return replyWith(
        context,
        await runInTurns(forkChat(context, caller.userId, place)),
        query.reply,
      )
    }),
  ]
}

/** Creates the routes for moving, copying and sharing one chat. */
export function createSharingRoutes(context: ChatContext): Route[] {
  return [
    ...createPlaceRoutes(context),
    ...createCopyRoutes(context),
    route(chats.share, async ({ caller, params, query }) => {
      const shared = await runInTurns(shareChat(context, caller, params.chat_id))
      return replyWith(context, shared, query.reply)
    }),
    route(chats.unshare, ({ caller, params }) =>
      runInTurns(unshareChat(context, caller.userId, params.chat_id)),
    ),
    route(chats.getShared, async ({ caller, params }) =>
      asJsonPieces<Chat>(
        context.shares.pieces(await requireShare(context, caller, params.share_id)),
      ),
    ),
    route(chats.getAccess, ({ caller, params }) => readAccess(context, caller, params.share_id)),
    route(chats.updateAccess, async ({ caller, params, query, body }) =>
      replyWith(
        context,
        await updateAccess(context, caller, { id: params.share_id, input: body }),
        query.reply,
      ),
    ),
  ]
}
