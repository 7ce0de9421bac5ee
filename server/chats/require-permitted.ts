import { forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { ChatContext } from './chat-context.ts'
import type { MergePlan } from './saving/merge-messages.ts'
import type { ChatChanges } from './saving/parse-chat-body.ts'

const notPermitted = (words: string) =>
  forbidden(`You do not have permission to ${words}. Ask an administrator.`, {
    code: 'not_permitted',
  })

/**
 * Throws 403 for a caller who must use temporary chats: such a caller creates no stored ones, by
 * any route.
 */
export async function requireStoring({ permits }: ChatContext, caller: Caller): Promise<void> {
  if (await permits(caller, 'chat.temporary_enforced'))
    throw notPermitted('store chats; use a temporary chat')
}

/** Throws 403 for a caller who may not import prompts into the library. */
export async function requirePrompts({ permits }: ChatContext, caller: Caller): Promise<void> {
  for (const permission of ['workspace.prompts', 'workspace.prompts_import'] as const)
    if (!(await permits(caller, permission))) throw notPermitted('import prompts')
}

/**
 * Refuses a body that changes the text of stored messages (403).
 *
 * @NOTE Clients that write answers themselves fill a placeholder, and send the current text of
 *   running answers; neither changes a text that has been read.
 */
export function requireUnedited(
  { stored }: Pick<MergePlan, 'stored'>,
  { messages }: ChatChanges,
): void {
  for (const row of stored.values()) {
    const { content } = messages.get(row.id)!
    if (content === undefined || row.running === 1 || row.content === '' || row.content === content)
      continue
    throw notPermitted('edit messages')
  }
}
