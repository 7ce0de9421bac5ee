import { desktop } from '../../lib/desktop.ts'
import {
  allDownloads,
  isMoving,
  loadLocalModels,
  type LocalModelsState,
  type LocalModelsStore,
} from './local-models-store.ts'

const LOOK_MILLISECONDS = 2000

/** Returns the combined progress of running downloads; null if none has a known size. */
export function shareOf(state: Pick<LocalModelsState, 'engine'>): number | null {
  const sized = allDownloads(state).flatMap(({ status, completed, total }) =>
    status === 'running' && total !== null && total > 0 ? [{ completed, total }] : [],
  )
  if (sized.length === 0) return null
  const total = sized.reduce((sum, each) => sum + each.total, 0)
  return Math.min(1, sized.reduce((sum, each) => sum + each.completed, 0) / total)
}

/**
 * Shows the download progress of models in the desktop's taskbar, and polls until they are
 * complete, regardless of the open page.
 */
export function followDownloads(store: LocalModelsStore, bridge = desktop): LocalModelsStore {
  if (!bridge) return store
  let shown: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  store.subscribe((state) => {
    const share = shareOf(state)
    // Optional: if it cannot be shown, the page still shows the progress.
    if (share !== shown)
      bridge.request('window.setMarks', { downloads: share }).catch(() => undefined)
    shown = share
    clearTimeout(timer)
    if (isMoving(state)) timer = setTimeout(() => void loadLocalModels(store), LOOK_MILLISECONDS)
  })
  return store
}
