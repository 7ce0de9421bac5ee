import type { Role } from '#contract/common.ts'

const CHAT_PERMISSIONS = [
  'controls',
  'system_prompt',
  'params',
  'delete',
  'delete_message',
  'continue_response',
  'regenerate_response',
  'edit',
  'multiple_models',
] as const

/** The permission tree clients read from a session. */
export function toPermissions(role: Role, options: { mayUseKeys: boolean }): Record<string, Record<string, boolean>> {
  const isActive = role !== 'pending'
  return {
    chat: Object.fromEntries(CHAT_PERMISSIONS.map((name) => [name, isActive])),
    features: { api_keys: isActive && options.mayUseKeys },
  }
}
