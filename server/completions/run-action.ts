import type { completionEndpoints } from '#contract/completions.ts'
import { notFound } from '../lib/errors.ts'
import type { Call } from '../lib/http.ts'
import type { CompletionsParts } from './index.ts'
import { toContact } from './outlet.ts'
import { isTemporary } from './require-permitted.ts'

/** Runs a button under a message for whoever owns the chat. */
export async function runAction(
  parts: CompletionsParts,
  { params, body, caller, signal, request }: Call<typeof completionEndpoints.action>,
): Promise<Record<string, unknown>> {
  const { chat_id: chatId } = body
  if (!parts.actions) throw notFound('There is no action with this id.')
  if (chatId && !isTemporary(chatId) && parts.chats.ownerOf(chatId) !== caller.userId) throw notFound('There is no chat with this id.')
  return parts.actions(params.action_id, body, { ...toContact(parts, caller, body), signal, headers: request.headers })
}
