import { desktop } from '../../lib/desktop.ts'
import {
  isMoving,
  loadLocalModels,
  type LocalModelsState,
  type LocalModelsStore,
} from './local-models-store.ts'

const LOOK_MILLISECONDS = 2000

/** How far the downloads under way are together; null where none says how large it is. */
export function shareOf({ engine }: Pick<LocalModelsState, 'engine'>): number | null {
  const sized = (engine?.downloads ?? []).flatMap(({ status, completed, total }) =>
    status === 'running' && total !== null && total > 0 ? [{ completed, total }] : [],
  )
  if (sized.length === 0) return null
  const total = sized.reduce((sum, each) => sum + each.total, 0)
  return Math.min(1, sized.reduce((sum, each) => sum + each.completed, 0) / total)
}

/**
 * Has the desktop show in its taskbar how far models are, and looks again until they are there,
 * whichever page is open meanwhile.
 */
export function followDownloads(store: LocalModelsStore, bridge = desktop): LocalModelsStore {
  if (!bridge) return store
  let shown: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  store.subscribe((state) => {
    const share = shareOf(state)
    // Only a comfort: where it cannot be shown, the page says it all the same.
    if (share !== shown)
      bridge.request('window.setMarks', { downloads: share }).catch(() => undefined)
    shown = share
    clearTimeout(timer)
    if (isMoving(state)) timer = setTimeout(() => void loadLocalModels(store), LOOK_MILLISECONDS)
  })
  return store
}
