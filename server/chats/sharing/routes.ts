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
      ({ caller, params }) => requireChat(context, caller.userId, params.chat_id).pinned === 1,
    ),
    route(chats.archive, ({ caller, params, query }) =>
      replyWith(context, toggleArchive(context, caller.userId, params.chat_id), query.reply),
    ),
    route(chats.move, ({ caller, params, query, body }) => {
      const place = { chatId: params.chat_id, folderId: body.folder_id ?? null }
      return replyWith(context, moveChat(context, caller.userId, place), query.reply)
    }),
    route(chats.read, ({ caller, params }) =>
      describeChat(
        context,
        markRead(context, caller.userId, { chatId: params.chat_id, isRead: true }),
      ),
    ),
    route(chats.unread, ({ caller, params }) =>
      describeChat(
        context,
        markRead(context, caller.userId, { chatId: params.chat_id, isRead: false }),
      ),
    ),
  ]
}

function createCopyRoutes(context: ChatContext): Route[] {
  return [
    route(chats.clone, async ({ caller, params, query, body }) => {
      requireStoring(context, caller)
      const place = { chatId: params.chat_id, title: body.title }
      return replyWith(
        context,
        await runInTurns(cloneChat(context, caller.userId, place)),
        query.reply,
      )
    }),
    route(chats.cloneShared, async ({ caller, params, query }) => {
      requireStoring(context, caller)
      return replyWith(context, await cloneShared(context, caller, params.share_id), query.reply)
    }),
    route(chats.fork, async ({ caller, params, query, body }) => {
      requireStoring(context, caller)
      const place = { chatId: params.chat_id, messageId: body.message_id, title: body.title }
      return replyWith(
        context,
        await runInTurns(forkChat(context, caller.userId, place)),
        query.reply,
      )
    }),
  ]
}

/** Moving, copying and sharing one chat. */
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
    route(chats.getShared, ({ caller, params }) =>
      asJsonPieces<Chat>(context.shares.pieces(requireShare(context, caller, params.share_id))),
    ),
    route(chats.getAccess, ({ caller, params }) => readAccess(context, caller, params.share_id)),
    route(chats.updateAccess, ({ caller, params, query, body }) =>
      replyWith(
        context,
        updateAccess(context, caller, { id: params.share_id, input: body }),
        query.reply,
      ),
    ),
  ]
}
