import type { Permission } from '#contract/permissions.ts'
import type { SessionState } from '../features/auth/session-store.ts'

/** Whether the signed-in person may do something; what a gateway does not speak of is permitted. It decides, this only spares useless offers. */
export const isPermitted =
  (permission: Permission) =>
  ({ user }: SessionState): boolean => {
    if (!user || user.role === 'admin') return true
    const [branch = '', key = ''] = permission.split('.')
    return (user.permissions[branch] as Record<string, unknown> | undefined)?.[key] !== false
  }

/** Whether chats can be put into folders here. */
export const mayUseFolders = (state: SessionState): boolean =>
  state.config?.features.enable_folders !== false && isPermitted('features.folders')(state)

/** Whether models can be told lasting facts about a person here. */
export const mayUseMemories = (state: SessionState): boolean =>
  state.config?.features.enable_memories !== false && isPermitted('features.memories')(state)

/** Whether notes can be written here. */
export const mayUseNotes = (state: SessionState): boolean =>
  state.config?.features.enable_notes !== false && isPermitted('features.notes')(state)
