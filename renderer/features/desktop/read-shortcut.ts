export const INVALID_KEYS = 'invalid'

interface KeyPress {
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/**
 * Returns the key by its physical position, so that Shift and different modifier layouts do not
 * change it.
 */
function readKey(code: string): string | null {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3)
  if (/^Digit\d$/.test(code)) return code.slice(5)
  if (code === 'Space' || /^F(?:[1-9]|1\d|2[0-4])$/.test(code)) return code
  return null
}

/**
 * Returns pressed keys as a global accelerator; null while only modifiers are held, `INVALID_KEYS`
 * for keys that would be taken away from every other program.
 */
export function readShortcut(press: KeyPress, isApple: boolean): string | null {
  if (/^(?:Control|Shift|Alt|Meta|OS)/.test(press.code)) return null
  const key = readKey(press.code)
  const isFunctionKey = key !== null && /^F\d/.test(key)
  const modifiers = [
    ...(press.ctrlKey ? [isApple ? 'Ctrl' : 'CmdOrCtrl'] : []),
    ...(press.metaKey ? [isApple ? 'CmdOrCtrl' : 'Super'] : []),
    ...(press.altKey ? ['Alt'] : []),
    ...(press.shiftKey ? ['Shift'] : []),
  ]
  const isOnlyShift = modifiers.length === 1 && modifiers[0] === 'Shift'
  if (key === null || modifiers.length === 0 || (isOnlyShift && !isFunctionKey)) return INVALID_KEYS
  return [...modifiers, key].join('+')
}
