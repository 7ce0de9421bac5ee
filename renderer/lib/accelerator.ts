import { desktop } from './desktop.ts'

/** True on systems whose shortcuts are written with symbols and use the command key. */
export const isApple = (): boolean =>
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

const APPLE: Readonly<Record<string, string>> = Object.freeze({
  CmdOrCtrl: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Ctrl: '⌃',
})
const OTHERS: Readonly<Record<string, string>> = Object.freeze({ CmdOrCtrl: 'Ctrl' })

/** Returns the keys of an accelerator such as `CmdOrCtrl+Shift+L` as written on this system. */
export function acceleratorKeys(accelerator: string, apple = isApple()): string[] {
  return accelerator.split('+').map((part) => (apple ? APPLE : OTHERS)[part] ?? part)
}

/**
 * Shortcuts reserved by browsers, such as for a new window; only the desktop window receives them.
 */
const OF_BROWSERS: ReadonlySet<string> = new Set(['CmdOrCtrl+N'])

/** True if the shortcut of a command reaches this window, so that it may be shown. */
export const isTaught = (accelerator: string, isDesktop = desktop !== undefined): boolean =>
  isDesktop || !OF_BROWSERS.has(accelerator)

interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** Keys identified by position, because Shift changes their character. */
const CODES: Readonly<Record<string, string>> = Object.freeze({
  '[': 'BracketLeft',
  ']': 'BracketRight',
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
})

/** True if a key press matches this accelerator with exactly its modifiers. */
export function matchesAccelerator(
  press: KeyPress,
  accelerator: string,
  apple = isApple(),
): boolean {
  const parts = accelerator.split('+')
  const key = parts.at(-1) ?? ''
  const main = parts.includes('CmdOrCtrl')
  const wanted = {
    ctrl: main && !apple,
    meta: main && apple,
    shift: parts.includes('Shift'),
    alt: parts.includes('Alt'),
  }
  if (
    press.ctrlKey !== wanted.ctrl ||
    press.metaKey !== wanted.meta ||
    press.shiftKey !== wanted.shift ||
    press.altKey !== wanted.alt
  ) {
    return false
  }
  return CODES[key] ? press.code === CODES[key] : press.key.toLowerCase() === key.toLowerCase()
}
