import { globalShortcut } from 'electron'
import { commands, type ShortcutState } from '#desktop'

/** A key of the whole system that this app holds, at most one at a time. */
export interface SystemKeys {
  readonly state: ShortcutState
  /** Lets go of the keys held before and takes others; null for none. */
  hold(accelerator: string | null): ShortcutState
}

/** Keys of the menu would no longer reach it. */
const isOwnKey = (accelerator: string): boolean =>
  commands.some((row) => row.accelerator === accelerator)

function register(accelerator: string, onPress: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, onPress)
  } catch {
    // Keys this system does not know.
    return false
  }
}

/**
 * Keys that call the app from anywhere. Where a Wayland desktop gives none out, that is another
 * answer than keys that are taken: no other choice would help.
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
