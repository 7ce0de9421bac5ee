import type { completionEndpoints } from '#contract/completions.ts'
import { notFound } from '../../lib/errors.ts'
import type { HttpCall } from '../../lib/http.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { toContact } from './outlet.ts'
import { isTemporary } from '../../lib/is-temporary.ts'

/**
 * Runs an action button of a message for the owner of the chat. It continues when its caller
 * disconnects, until it ends or its task is stopped.
 */
export async function runAction(
  parts: CompletionsParts,
  { params, body, caller, request }: HttpCall<typeof completionEndpoints.action>,
): Promise<unknown> {
  const { chat_id: chatId } = body
  if (!parts.actions) throw notFound('There is no action with this id.')
  if (chatId && !isTemporary(chatId) && (await parts.chats.ownerOf(chatId)) !== caller.userId)
    throw notFound('There is no chat with this id.')
  const contact = toContact(parts, caller, body)
  const task = parts.tasks.start({
    userId: caller.userId,
    chatId: contact.chatId,
    messageId: contact.messageId,
    kind: 'action',
  })
  try {
    return await parts.actions(params.action_id, body, {
      ...contact,
      signal: task.signal,
      headers: request.headers,
    })
  } finally {
    await contact.allTold()
    task.finish()
  }
}
