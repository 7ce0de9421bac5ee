import type { Chat, ChatListItem } from '#contract/chats.ts'
import { asJsonPieces } from '../lib/http.ts'
import { describeChat, type ChatContext } from './chat-context.ts'
import { readChat } from './reading/read-chat.ts'
import type { ChatRow } from './store.ts'

/** Creates the response to a change of a chat: the whole chat, or its list entry. */
export const replyWith = (
  context: ChatContext,
  chat: ChatRow,
  form: 'full' | 'minimal' | undefined,
): Chat | ChatListItem =>
  form === 'minimal'
    ? describeChat(context, chat)
    : asJsonPieces<Chat>(readChat(context, chat.id), {
        id: chat.id,
        pinned: chat.pinned === 1,
        archived: chat.archived === 1,
      })
