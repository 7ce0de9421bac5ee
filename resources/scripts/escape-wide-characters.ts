import type { Plugin } from 'vite'

/**
 * Matches an escape sequence as a whole, because a wide character after a backslash stands for
 * itself.
 */
const ESCAPE_OR_WIDE = /\\[\s\S]|[^\0-\x7f]/g

function escapeUnit(text: string): string {
  const unit = text.charCodeAt(text.length - 1)
  return unit > 0x7f ? `\\u${unit.toString(16).padStart(4, '0')}` : text
}

/** Returns the module with non-ASCII characters written as escapes. */
export const escapeWide = (code: string): string => code.replace(ESCAPE_OR_WIDE, escapeUnit)

/**
 * Escapes non-ASCII characters in chunks that contain few of them. V8 keeps the source of a module
 * in memory, and Node passes it with two bytes for every character as soon as one of them is not
 * ASCII.
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
