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

/** The keys of an accelerator such as `CmdOrCtrl+Shift+L` as they are written on this system. */
export function acceleratorKeys(accelerator: string, apple = isApple()): string[] {
  return accelerator.split('+').map((part) => (apple ? APPLE : OTHERS)[part] ?? part)
}

/** Keys a browser keeps for itself, such as for a new window; only the desktop window gets them. */
const OF_BROWSERS: ReadonlySet<string> = new Set(['CmdOrCtrl+N'])

/** Whether the keys of a command reach this window, so that they may be shown beside it. */
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

/** Keys named by their place, because Shift changes what they write. */
const CODES: Readonly<Record<string, string>> = Object.freeze({
  '[': 'BracketLeft',
  ']': 'BracketRight',
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
})

/** True when a key press is this accelerator, no modifier more or less. */
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
