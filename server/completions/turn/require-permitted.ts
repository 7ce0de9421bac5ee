import { findInOrder } from '../../lib/in-order.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Groups } from '../../groups/index.ts'
import { forbidden } from '../../lib/errors.ts'
import { isTemporary } from '../../lib/is-temporary.ts'
import type { Caller } from '../../lib/http.ts'
import { goesOn } from './begun-answer.ts'

interface Need {
  readonly permission: Permission
  /** Completes "You do not have permission to …". */
  readonly words: string
}

const FEATURE_NEEDS: Readonly<Record<string, Need>> = {
  web_search: { permission: 'features.web_search', words: 'use web search' },
  image_generation: { permission: 'features.image_generation', words: 'use image generation' },
  code_interpreter: { permission: 'features.code_interpreter', words: 'use the code interpreter' },
  memory: { permission: 'features.memories', words: 'use memories' },
}

/** Throws 403 if the body of a completion requires more than the permissions of its caller. */
export function requirePermitted(
  groups: Groups,
  caller: Caller,
  request: ChatCompletionRequest,
): Promise<void> | void {
  if (caller.role === 'admin') return
  const needs = needsOf(request)
  // Most requests of API clients need no permission check and return synchronously.
  if (needs.length > 0 || isStored(request)) return requireNeeds(groups, caller, { request, needs })
}

async function requireNeeds(
  groups: Groups,
  caller: Caller,
  { request, needs }: { readonly request: ChatCompletionRequest; readonly needs: readonly Need[] },
): Promise<void> {
  const missing = await findInOrder(
    needs,
    async ({ permission }) => !(await groups.allows(caller, permission)),
  )
  if (missing) throw notPermitted(missing.words)
  // The only permission that restricts: its holders may not store chats.
  if (isStored(request) && (await groups.allows(caller, 'chat.temporary_enforced')))
    throw notPermitted('store chats; use a temporary chat')
}

const notPermitted = (words: string) =>
  forbidden(`You do not have permission to ${words}. Ask an administrator.`, {
    code: 'not_permitted',
  })

const isStored = ({
  chat_id: chatId,
  id,
  parent_id: parentId,
  message_ids: messageIds,
}: ChatCompletionRequest): boolean =>
  chatId ? !isTemporary(chatId) && Boolean(id ?? messageIds) : parentId === null

function needsOf(request: ChatCompletionRequest): Need[] {
  const { params, features, chat_id: chatId, message_ids: messageIds } = request
  const needs: Need[] = []
  if (params && Object.keys(params).length > 0) {
    needs.push({ permission: 'chat.controls', words: 'change the parameters of a chat' })
    if (Object.hasOwn(params, 'system'))
      needs.push({ permission: 'chat.system_prompt', words: 'set a system prompt' })
    if (Object.keys(params).some((key) => key !== 'system'))
      needs.push({ permission: 'chat.params', words: 'change model parameters' })
  }
  for (const [feature, need] of Object.entries(FEATURE_NEEDS)) {
    if (features?.[feature]) needs.push(need)
  }
  if (messageIds && countTargets(messageIds) > 1)
    needs.push({ permission: 'chat.multiple_models', words: 'ask several models at once' })
  if (goesOn(request))
    needs.push({ permission: 'chat.continue_response', words: 'continue answers' })
  if (chatId && isTemporary(chatId))
    needs.push({ permission: 'chat.temporary', words: 'use temporary chats' })
  return needs
}

const countTargets = (messageIds: NonNullable<ChatCompletionRequest['message_ids']>): number =>
  Array.isArray(messageIds) ? messageIds.length : Object.keys(messageIds).length
