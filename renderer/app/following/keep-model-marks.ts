import type { ModelMarks } from '../../features/models/model-marks.ts'
import {
  isOwnDefault,
  selectPinned,
  showPreferredModel,
  takeOwnMarks,
} from '../../features/models/models-store.ts'
import {
  loadPreferences,
  readInterface,
  saveInterface,
} from '../../features/settings/preferences-store.ts'
import { currentRoute } from '../../lib/router.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { modelsStore, preferencesStore, sessionStore } from '../stores.ts'

/**
 * Setting names used by other clients too: ids of pinned models, and default models of a new chat.
 */
const PINNED = 'pinnedModels'
const DEFAULT = 'models'

const toIds = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : null

const userId = (): string | null => sessionStore.getState().user?.id ?? null

/** Notifies the other windows of this browser of the user whose settings changed. */
const channel = new BroadcastChannel('model-marks')

/** Applies the user's pinned and default models. */
export function takeModelMarks(): void {
  const before = modelsStore.getState().ownDefaultId
  takeOwnMarks(modelsStore, {
    pinnedIds: toIds(readInterface(preferencesStore, PINNED)),
    defaultId: toIds(readInterface(preferencesStore, DEFAULT))?.[0] ?? null,
  })
  const route = currentRoute()
  const isNew = route.name === 'chat' && route.chatId === null
  if (isNew && modelsStore.getState().ownDefaultId !== before) showPreferredModel(modelsStore)
}

async function keep(key: string, ids: readonly string[]): Promise<void> {
  const saving = saveInterface(preferencesStore, key, ids)
  takeModelMarks()
  try {
    await saving
    channel.postMessage(userId())
  } catch (thrown) {
    takeModelMarks()
    toastError(thrown)
  }
}

/** Actions of the model picker on the user's pinned and default models. */
export const modelMarks: ModelMarks = {
  togglePin: (id) => {
    const pinned = selectPinned(modelsStore.getState())
    void keep(PINNED, pinned.includes(id) ? pinned.filter((each) => each !== id) : [...pinned, id])
  },
  toggleDefault: (id) => void keep(DEFAULT, isOwnDefault(modelsStore.getState(), id) ? [] : [id]),
}

/** Follows changes made in other windows of the same user; returns the function that stops it. */
export function followModelMarks(): () => void {
  channel.onmessage = ({ data }: MessageEvent) => {
    if (data !== userId() || data === null) return
    loadPreferences(preferencesStore).then(takeModelMarks, () => undefined)
  }
  return () => {
    channel.onmessage = null
  }
}
