import { createStore, type StoreApi } from 'zustand/vanilla'

interface LayoutState {
  /** Wide windows: true if the chat list is shown beside the chat. Stored in this browser. */
  readonly sidebarOpen: boolean
  /** Narrow windows: true if the chat list covers the chat. */
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

/** Media query of windows in which the chat list covers the chat. */
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

/** Shows the chat list, as sidebar or drawer depending on the window width. */
export function showSidebar(store: LayoutStore): void {
  store.setState(isNarrow() ? { drawerOpen: true } : { sidebarOpen: true })
}
