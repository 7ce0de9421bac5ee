import type { BranchPage, Chat, ChatBodyInput } from '#contract/chats.ts'
import { endpoints } from '#contract/endpoints.ts'
import { EXTERNAL_EVENT_TYPES } from '#contract/events.ts'
import { parsePluginEvent, withIndex } from '../lib/plugin-events.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, notFound, tooLarge } from '../lib/errors.ts'
import {
  asJson,
  asJsonList,
  asJsonPieces,
  httpRoute,
  route,
  type Caller,
  type Route,
} from '../lib/http.ts'
import { runInTurns } from '../lib/turns.ts'
import { restoreChat, togglePin, trashChat } from './change-chat.ts'
import { removeMessage, replaceContent } from './saving/change-message.ts'
import { describeChat, requireChat, requireMessage, type ChatContext } from './chat-context.ts'
import type { ChatEvents } from './create-context.ts'
import { findChats, listChats, listPinned } from './lists/list-chats.ts'
import { readBranch } from './reading/read-branch.ts'
import { readChat } from './reading/read-chat.ts'
import { replyWith } from './reply.ts'
import { requireStoring } from './require-permitted.ts'
import { createChat, updateChat } from './saving/save-chat.ts'
import type { ChatRow } from './store.ts'
import { storeEvent } from './answers/write-answer.ts'

const { chats } = endpoints
const EVENT_TYPES: ReadonlySet<string> = new Set(EXTERNAL_EVENT_TYPES)

/**
 * Returns the chat of a body before its schema is applied, so that a message named `__proto__` is
 * stored like any other.
 */
const bodyChat = (context: ChatContext, call: { readonly json: unknown }): ChatBodyInput => {
  const { chat } = call.json as { chat: ChatBodyInput }
  const most = context.mostMessages()
  const count = Math.max(
    chat.messages?.length ?? 0,
    Object.keys(chat.history?.messages ?? {}).length,
  )
  if (count <= most) return chat
  throw tooLarge(
    `The chat has ${count} messages; one call may store ${most} (CHAT_SAVE_MAX_MESSAGES). ` +
      'Store the first ones, then add the others with further calls, or import the chat as an archive.',
  )
}

function createReadRoutes(context: ChatContext): Route[] {
  return [
    route(
      chats.list,
      ({
        caller,
        query: { page, include_pinned: includePinned, include_folders: includeFolders },
      }) => asJsonList(listChats(context, caller.userId, { page, includePinned, includeFolders })),
    ),
    route(chats.search, ({ caller, query }) =>
      runInTurns(findChats(context, caller.userId, query)),
    ),
    route(chats.pinned, ({ caller }) => asJsonList(listPinned(context, caller.userId))),
    route(chats.get, async ({ caller, params }) =>
      asJsonPieces<Chat>(
        readChat(context, (await requireChat(context, caller.userId, params.chat_id)).id),
      ),
    ),
    route(chats.branch, async ({ caller, params, query }) =>
      asJson<BranchPage>(
        await readBranch(context, await requireChat(context, caller.userId, params.chat_id), query),
      ),
    ),
  ]
}

function createWriteRoutes(context: ChatContext): Route[] {
  const reply = (chat: ChatRow, form: 'full' | 'minimal' | undefined, repairs?: string[]) =>
    form === 'minimal'
      ? { id: chat.id, updated_at: chat.updated_at, repairs }
      : asJsonPieces<Chat>(readChat(context, chat.id, { repairs }))

  return [
    route(chats.create, async (call) => {
      // The call releases the parsed body while it is awaited.
      const { json } = call
      await requireStoring(context, call.caller)
      const record = { folder_id: call.body.folder_id ?? null }
      const { chat, repairs } = await runInTurns(
        createChat(context, call.caller.userId, bodyChat(context, { json }), record),
      )
      return asJsonPieces<Chat>(readChat(context, chat.id, { repairs }), { id: chat.id })
    }),
    route(chats.update, async (call) => {
      const { json } = call
      const place = {
        chatId: call.params.chat_id,
        mayEdit: await context.permits(call.caller, 'chat.edit'),
      }
      const { chat, repairs } = await runInTurns(
        updateChat(context, call.caller.userId, place, bodyChat(context, { json })),
      )
      return reply(chat, call.query.reply, repairs)
    }),
    route(chats.remove, ({ caller, params }) => trashChat(context, caller.userId, params.chat_id)),
    route(chats.restore, async ({ caller, params }) =>
      describeChat(context, await restoreChat(context, caller.userId, params.chat_id)),
    ),
    route(chats.pin, async ({ caller, params, query }) =>
      replyWith(context, await togglePin(context, caller.userId, params.chat_id), query.reply),
    ),
    route(chats.updateMessage, async ({ caller, params, query, body }) => {
      const place = { chatId: params.chat_id, messageId: params.message_id, content: body.content }
      return reply(await replaceContent(context, caller.userId, place), query.reply)
    }),
    route(chats.removeMessage, async ({ caller, params, query }) => {
      const place = { chatId: params.chat_id, messageId: params.message_id }
      return reply(await runInTurns(removeMessage(context, caller.userId, place)), query.reply)
    }),
  ]
}

/**
 * Returns the chat of a message event for its owner and administrators; for other callers it does
 * not exist.
 */
async function requireEventChat(
  { store }: ChatContext,
  caller: Caller,
  chatId: string,
): Promise<ChatRow> {
  const chat = await store.chat(chatId)
  const mayEnter =
    chat !== undefined &&
    chat.deleted_at === null &&
    (chat.user_id === caller.userId || caller.role === 'admin')
  if (!mayEnter) throw notFound('This chat does not exist.')
  return chat
}

/**
 * Creates the routes of chats; events of outside tools are forwarded to the windows of the chat's
 * owner.
 */
export function createChatRoutes(context: ChatContext, events: ChatEvents): readonly Route[] {
  const messageEvent = httpRoute(chats.messageEvent, async ({ caller, params, body, rawBody }) => {
    const chat = await requireEventChat(context, caller, params.chat_id)
    await requireMessage(context, chat.id, params.message_id)
    if (!EVENT_TYPES.has(body.type)) {
      throw badRequest(
        `The event type ${JSON.stringify(body.type)} cannot be sent from outside. Use one of: ${EXTERNAL_EVENT_TYPES.join(', ')}.`,
      )
    }
    events.limits.requireFit(body, rawBody.length)
    checkPlainJson(body.data)
    const event = parsePluginEvent(body)
    const index = await storeEvent(context, chat.id, params.message_id, event)
    events.emit(chat.user_id, {
      chat_id: chat.id,
      message_id: params.message_id,
      data: withIndex(event, index),
    })
  })
  return [...createReadRoutes(context), ...createWriteRoutes(context), messageEvent]
}
