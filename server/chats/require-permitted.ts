import { forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { ChatContext } from './chat-context.ts'
import type { ChatChanges } from './parse-chat-body.ts'
import type { ChatRow } from './store.ts'

const notPermitted = (words: string) =>
  forbidden(`You do not have permission to ${words}. Ask an administrator.`, { code: 'not_permitted' })

/** Whoever has to use temporary chats begins no stored ones, however they come about (403). */
export function requireStoring({ permits }: ChatContext, caller: Caller): void {
  if (permits(caller, 'chat.temporary_enforced')) throw notPermitted('store chats; use a temporary chat')
}

/**
 * Refuses a body that gives stored messages another text (403).
 *
 * @NOTE Clients that write answers themselves fill a placeholder, and send the text of running answers as far as they have
 * it; neither changes what somebody has read.
 */
export function requireUnedited({ store }: ChatContext, chat: ChatRow, { messages, flatOnly }: ChatChanges): void {
  for (const { id, content } of messages.values()) {
    if (content === undefined || flatOnly.has(id)) continue
    const row = store.message(chat.id, id)
    if (!row || row.running === 1 || row.content === '' || row.content === content) continue
    throw notPermitted('edit messages')
  }
}
