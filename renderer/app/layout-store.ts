import { createStore, type StoreApi } from 'zustand/vanilla'

interface LayoutState {
  /** Wide windows: whether the chat list stands beside the chat. Kept in this browser. */
  readonly sidebarOpen: boolean
  /** Narrow windows: whether the chat list lies over the chat. */
  readonly drawerOpen: boolean
  readonly paletteOpen: boolean
  readonly shortcutsOpen: boolean
}

export type LayoutStore = StoreApi<LayoutState>

const STORAGE_KEY = 'sidebar'

export const createLayoutStore = (): LayoutStore =>
  createStore<LayoutState>(() => ({
    sidebarOpen: localStorage.getItem(STORAGE_KEY) !== 'closed',
    drawerOpen: false,
    paletteOpen: false,
    shortcutsOpen: false,
  }))

/** Windows in which the chat list lies over the chat. */
export const NARROW = '(width < 48rem)'

const isNarrow = (): boolean => matchMedia(NARROW).matches

export function toggleSidebar(store: LayoutStore): void {
  if (isNarrow()) {
    store.setState(({ drawerOpen }) => ({ drawerOpen: !drawerOpen }))
    return
  }
  const sidebarOpen = !store.getState().sidebarOpen
  localStorage.setItem(STORAGE_KEY, sidebarOpen ? 'open' : 'closed')
  store.setState({ sidebarOpen })
}

/** Makes the chat list visible in whichever form this window has room for. */
export function showSidebar(store: LayoutStore): void {
  store.setState(isNarrow() ? { drawerOpen: true } : { sidebarOpen: true })
}
