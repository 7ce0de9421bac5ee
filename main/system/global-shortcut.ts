import { globalShortcut } from 'electron'
import { commands, type ShortcutState } from '#desktop'

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
 * Global shortcut held by this app, at most one at a time. A Wayland desktop that grants none is
 * reported differently from a shortcut in use: choosing another one would not help.
 */
export class SystemKeys {
  readonly #isWayland: boolean
  readonly #onPress: () => void
  #held: string | null = null
  #state: ShortcutState = 'off'

  constructor(isWayland: boolean, onPress: () => void) {
    this.#isWayland = isWayland
    this.#onPress = onPress
  }

  get state(): ShortcutState {
    return this.#state
  }

  /** Releases the previous shortcut and registers another; null for none. */
  hold(accelerator: string | null): ShortcutState {
    if (this.#held !== null) globalShortcut.unregister(this.#held)
    this.#held = null
    this.#state = accelerator === null ? 'off' : this.#register(accelerator)
    return this.#state
  }

  #register(accelerator: string): ShortcutState {
    if (isOwnKey(accelerator)) return 'taken'
    if (!register(accelerator, this.#onPress)) return this.#isWayland ? 'unavailable' : 'taken'
    this.#held = accelerator
    return 'active'
  }
}
