import type { Chat, ChatListItem } from '#contract/chats.ts'
import { asJsonPieces } from '../lib/http.ts'
import { describeChat, type ChatContext } from './chat-context.ts'
import { readChat } from './read-chat.ts'
import type { ChatRow } from './store.ts'

/** What a change to a chat answers with: the whole chat, or its line in the list. */
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
