import { socket } from '../api/socket.ts'
import { createSessionStore } from '../features/auth/session-store.ts'
import { createBannersStore } from '../features/banners/banners-store.ts'
import { createChatsStore } from '../features/chats/chats-store.ts'
import { Dialogs } from '../features/dialogs/dialogs-store.ts'
import { createFoldersStore } from '../features/folders/folders-store.ts'
import { createModelsStore } from '../features/models/models-store.ts'
import { createPromptsStore } from '../features/prompts/prompts-store.ts'
import { createPreferencesStore } from '../features/settings/preferences-store.ts'
import { createLayoutStore } from './shell/layout-store.ts'

/** The stores of this window. */
import { translate } from '../lib/i18n.ts'
import { toast } from '../ui/floating/toast.tsx'

export const sessionStore = createSessionStore()
export const bannersStore = createBannersStore()
export const chatsStore = createChatsStore()
export const foldersStore = createFoldersStore()
export const modelsStore = createModelsStore()
export const promptsStore = createPromptsStore()
export const preferencesStore = createPreferencesStore()
export const dialogs = new Dialogs(
  (frame) => socket.send(frame),
  () => toast({ text: translate('dialogs.expired') }),
)
export const layoutStore = createLayoutStore()
