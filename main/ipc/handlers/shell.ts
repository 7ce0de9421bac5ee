import type { ShellChange, ShellSettings } from '#desktop'
import type { SystemKeys } from '../../global-shortcut.ts'
import type { QuickAsk } from '../../quick-ask.ts'
import type { ShellStateStore } from '../../shell-state.ts'
import type { RequestHandlers } from '../router.ts'

export interface ShellHandlerDeps {
  readonly state: ShellStateStore
  readonly keys: SystemKeys
  readonly quickAsk: QuickAsk
}

function apply(change: ShellChange, { state, keys, quickAsk }: ShellHandlerDeps): void {
  state.update(change)
  if (change.quickAskShortcut !== undefined) {
    keys.hold(change.quickAskShortcut)
    if (change.quickAskShortcut !== null) quickAsk.prepare()
  }
  if (change.quickAskStaysOnTop !== undefined) quickAsk.setStaysOnTop(change.quickAskStaysOnTop)
}

function describe({ state, keys }: ShellHandlerDeps): ShellSettings {
  const { quickAskShortcut, quickAskStaysOnTop, staysInTray } = state.current
  return { quickAskShortcut, quickAskStaysOnTop, staysInTray, quickAskShortcutState: keys.state }
}

/** What a person chooses about the app itself, and what its small window asks for. */
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
