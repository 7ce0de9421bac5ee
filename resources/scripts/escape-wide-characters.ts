import type { Plugin } from 'vite'

/** An escape sequence as a whole, because a wide character behind a backslash stands for itself. */
const ESCAPE_OR_WIDE = /\\[\s\S]|[^\0-\x7f]/g

function escapeUnit(text: string): string {
  const unit = text.charCodeAt(text.length - 1)
  return unit > 0x7f ? `\\u${unit.toString(16).padStart(4, '0')}` : text
}

/** The same module with characters outside of ASCII written as escapes. */
export const escapeWide = (code: string): string => code.replace(ESCAPE_OR_WIDE, escapeUnit)

/**
 * Writes characters outside of ASCII as escapes in a chunk that holds few of them. V8 keeps the
 * source of a module in memory, and Node hands it over with two bytes for every character as soon
 * as one of them is not ASCII.
 */
export function escapeWideCharacters(): Plugin {
  return {
    name: 'escape-wide-characters',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        const escaped = escapeWide(file.code)
        if (escaped.length < file.code.length * 2) file.code = escaped
      }
    },
  }
}
