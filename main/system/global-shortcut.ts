import { globalShortcut } from 'electron'
import { commands, type ShortcutState } from '#desktop'

/** Global shortcut held by this app, at most one at a time. */
export interface SystemKeys {
  readonly state: ShortcutState
  /** Releases the previous shortcut and registers another; null for none. */
  hold(accelerator: string | null): ShortcutState
}

/** Such a shortcut would no longer reach the menu. */
const isOwnKey = (accelerator: string): boolean =>
  commands.some((row) => row.accelerator === accelerator)

function register(accelerator: string, onPress: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, onPress)
  } catch {
    // The system does not know this shortcut.
    return false
  }
}

/**
 * Creates the holder of the global shortcut. A Wayland desktop that grants none is reported
 * differently from a shortcut in use: choosing another one would not help.
 */
export function createSystemKeys(isWayland: boolean, onPress: () => void): SystemKeys {
  let held: string | null = null
  let state: ShortcutState = 'off'
  return {
    get state() {
      return state
    },
    hold(accelerator) {
      if (held !== null) globalShortcut.unregister(held)
      held = null
      if (accelerator === null) state = 'off'
      else if (isOwnKey(accelerator)) state = 'taken'
      else if (register(accelerator, onPress)) {
        held = accelerator
        state = 'active'
      } else state = isWayland ? 'unavailable' : 'taken'
      return state
    },
  }
}
