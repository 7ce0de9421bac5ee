import {
  BrowserWindow,
  nativeTheme,
  screen,
  type BrowserWindowConstructorOptions,
  type Point,
} from 'electron'
import { listDisplays } from './keep-on-displays.ts'
import { PRODUCT, say } from '../system/language.ts'
import { QUICK_HEIGHT } from './quick-ask.ts'
import { FENCED_PAGE } from '../security/security.ts'
import type { Bounds, ShellState, ShellStateStore } from '../profile/shell-state.ts'
import { MINIMUM_SIZE, placeWindow } from './window-bounds.ts'

/** Background colours of the UI, shown until it has painted. */
const BACKGROUND = { light: '#ffffff', dark: '#1b1c1f' }
const SAVE_DELAY = 400
/**
 * A slower start, such as the upgrade of a large database, shows the empty window with a busy
 * indicator.
 */
const SHOW_ANYWAY_AFTER = 3_000
const BUSY = 2
const NOT_BUSY = -1

export interface WindowOptions {
  readonly preload: string
  readonly icon: string
  readonly bounds: Bounds
  readonly isDark: boolean
  readonly allowsDevTools: boolean
}

/** Options of all windows. Every window of the app must be created with them. */
export function toWindowOptions({
  preload,
  icon,
  bounds,
  isDark,
  allowsDevTools,
}: WindowOptions): BrowserWindowConstructorOptions {
  return {
    ...bounds,
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: PRODUCT,
    icon,
    show: false,
    backgroundColor: isDark ? BACKGROUND.dark : BACKGROUND.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      ...FENCED_PAGE,
      spellcheck: true,
      devTools: allowsDevTools,
    },
  }
}

/** Stores position, size and mode; called on every change, written at most every 400 ms. */
function trackState(window: BrowserWindow, state: ShellStateStore): void {
  let timer: NodeJS.Timeout | undefined
  const save = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (window.isDestroyed()) return
    const change: Partial<ShellState> = {
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
      bounds: window.getNormalBounds(),
    }
    state.remember(change)
  }
  const saveSoon = (): void => {
    timer ??= setTimeout(save, SAVE_DELAY)
  }
  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('enter-full-screen', saveSoon)
  window.on('leave-full-screen', saveSoon)
  window.on('close', save)
}

/** Shows the window on its first paint, to avoid flashing. */
function showWhenPainted(
  window: BrowserWindow,
  { isMaximized, isFullScreen }: Partial<ShellState>,
  isStarting: () => boolean = () => true,
): void {
  const showEmpty = (): void => {
    if (!isStarting()) return void (slowStart = setTimeout(showEmpty, SHOW_ANYWAY_AFTER))
    window.setProgressBar(BUSY)
    window.setTitle(say('window.starting'))
    window.show()
  }
  let slowStart = setTimeout(showEmpty, SHOW_ANYWAY_AFTER)
  window.once('closed', () => clearTimeout(slowStart))
  window.once('ready-to-show', () => {
    clearTimeout(slowStart)
    window.setProgressBar(NOT_BUSY)
    if (isMaximized) window.maximize()
    if (isFullScreen) window.setFullScreen(true)
    window.show()
  })
}

export interface MainWindowDeps {
  readonly preload: string
  readonly icon: string
  readonly state: ShellStateStore
  readonly allowsDevTools: boolean
  /** Leaves the window hidden until requested. */
  readonly isHidden?: boolean
  /** False while a question is asked instead, over which an empty window must not open. */
  readonly isStarting: () => boolean
}

/** Opens the window at its last position, hidden until it has content. */
export function openMainWindow({
  preload,
  icon,
  state,
  allowsDevTools,
  isHidden = false,
  isStarting,
}: MainWindowDeps): BrowserWindow {
  const bounds = placeWindow(state.current.bounds, listDisplays())
  const window = new BrowserWindow(
    toWindowOptions({
      preload,
      icon,
      bounds,
      isDark: nativeTheme.shouldUseDarkColors,
      allowsDevTools,
    }),
  )
  if (!isHidden) showWhenPainted(window, state.current, isStarting)
  trackState(window, state)
  return window
}

const BESIDE = 32

/** Opens another window of the same kind, slightly offset from an existing one. */
export function openFurtherWindow(
  look: Omit<MainWindowDeps, 'state' | 'isHidden' | 'isStarting'>,
  near: Bounds,
): BrowserWindow {
  const wanted = { ...near, x: near.x + BESIDE, y: near.y + BESIDE }
  const bounds = placeWindow(wanted, [screen.getDisplayMatching(near)])
  const window = new BrowserWindow(
    toWindowOptions({ ...look, bounds, isDark: nativeTheme.shouldUseDarkColors }),
  )
  showWhenPainted(window, {})
  return window
}

const QUICK_WIDTH = 640
/** Position of the quick window from the top, as a fraction of the display's height. */
const QUICK_FROM_TOP = 0.22

/** The user works on the display with the pointer. */
function placeQuickWindow(saved: Point | null): Bounds {
  const { workArea } = screen.getDisplayNearestPoint(saved ?? screen.getCursorScreenPoint())
  const size = { width: Math.min(QUICK_WIDTH, workArea.width), height: QUICK_HEIGHT.low }
  const home = {
    x: workArea.x + Math.round((workArea.width - size.width) / 2),
    y: workArea.y + Math.round(workArea.height * QUICK_FROM_TOP),
  }
  const wanted = saved ?? home
  return {
    x: Math.max(workArea.x, Math.min(wanted.x, workArea.x + workArea.width - size.width)),
    y: Math.max(workArea.y, Math.min(wanted.y, workArea.y + workArea.height - size.height)),
    ...size,
  }
}

/** Creates the hidden quick window. */
export function openQuickWindow(
  { preload, icon, allowsDevTools }: Omit<MainWindowDeps, 'state' | 'isStarting'>,
  saved: Point | null,
): BrowserWindow {
  return new BrowserWindow({
    ...toWindowOptions({
      preload,
      icon,
      bounds: placeQuickWindow(saved),
      isDark: nativeTheme.shouldUseDarkColors,
      allowsDevTools,
    }),
    minHeight: QUICK_HEIGHT.low,
    frame: false,
    skipTaskbar: true,
    maximizable: false,
    minimizable: false,
    fullscreenable: false,
    // On macOS a panel receives keyboard input without raising the app's other windows.
    ...(process.platform === 'darwin' && { type: 'panel' }),
  })
}

/**
 * Brings a window to the front, regardless of its state. While the app quits its windows are gone,
 * and the gateway still stops.
 */
export function focusWindow(window: BrowserWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
