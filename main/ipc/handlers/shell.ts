import type { ShellChange, ShellSettings } from '#desktop'
import type { SystemKeys } from '../../system/global-shortcut.ts'
import type { LoginItem } from '../../system/login-item.ts'
import type { QuickAsk } from '../../windows/quick-ask.ts'
import type { ShellStateStore } from '../../profile/shell-state.ts'
import { downloadsWordList, wantsSpelling } from '../../windows/spell-check.ts'
import type { RequestHandlers } from '../router.ts'

/** Pause state of client calls. */
export interface Pause {
  isOn(): boolean
  set(isOn: boolean): void
}

export interface ShellHandlerDeps {
  readonly state: ShellStateStore
  readonly keys: Pick<SystemKeys, 'state' | 'hold'>
  readonly quickAsk: QuickAsk
  readonly loginItem: LoginItem
  readonly pause: Pause
  /** Applies the chosen spell-checking setting. */
  readonly onSpelling: () => void
  /** Applies the chosen update setting. */
  readonly onUpdates: () => void
  readonly platform: NodeJS.Platform
}

function apply({ startsAtLogin, isPaused, ...change }: ShellChange, deps: ShellHandlerDeps): void {
  const { state, keys, quickAsk, loginItem, pause, onSpelling, onUpdates } = deps
  state.update(change)
  if (startsAtLogin !== undefined) loginItem.set(startsAtLogin)
  if (isPaused !== undefined) pause.set(isPaused)
  if (change.checksSpelling !== undefined) onSpelling()
  if (change.updates !== undefined) onUpdates()
  if (change.quickAskShortcut !== undefined) {
    keys.hold(change.quickAskShortcut)
    if (change.quickAskShortcut !== null) quickAsk.prepare()
  }
  if (change.quickAskStaysOnTop !== undefined) quickAsk.setStaysOnTop(change.quickAskStaysOnTop)
}

function describe({ state, keys, loginItem, pause, platform }: ShellHandlerDeps): ShellSettings {
  const { quickAskShortcut, quickAskStaysOnTop, staysInTray, updates } = state.current
  return {
    quickAskShortcut,
    quickAskShortcutState: keys.state,
    quickAskStaysOnTop,
    staysInTray,
    startsAtLogin: loginItem.isOn(),
    isPaused: pause.isOn(),
    offersLogin: loginItem.isOffered,
    checksSpelling: wantsSpelling(state.current, platform),
    downloadsWordList: downloadsWordList(platform),
    updates,
  }
}

/** Creates the handlers for the app's own settings and the requests of the quick window. */
export function createShellHandlers(
  deps: ShellHandlerDeps,
): Pick<RequestHandlers, 'shell.settings' | 'quickAsk.act'> {
  return {
    'shell.settings': ({ change }) => {
      apply(change, deps)
      return describe(deps)
    },
    'quickAsk.act': (action, { window }) => {
      if (deps.quickAsk.owns(window)) deps.quickAsk.act(action)
      return {}
    },
  }
}
