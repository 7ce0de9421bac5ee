import { redactText } from '../lib/logger.ts'

const LONGEST_NAME = 80

/** Browsers name each other in their header; the first match is the actual one. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bElectron\/[\d.]+/, 'Chat Gateway app'],
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bChrome\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* .*Safari\//, 'Safari'],
]

/** Reports whether a name returned by `nameProgram` is that of a browser. */
export const isBrowser = (program: string): boolean =>
  BROWSERS.some(([, name]) => program === name || program.startsWith(`${name} `))

/**
 * Returns the name of the client from its `User-Agent` header: a browser's name, or the first
 * product with its version.
 */
export function nameProgram(userAgent: string): string | null {
  if (userAgent.startsWith('Mozilla/')) {
    for (const [pattern, name] of BROWSERS) {
      const found = pattern.exec(userAgent)
      if (found) return found[1] === undefined ? name : `${name} ${found[1]}`
    }
  }
  const words = /^[^\s/]+(\/[^\s/]+)*( v?\d[\w.-]*)?/.exec(
    redactText(userAgent)
      .replaceAll(/[^\x20-\x7e]/g, '')
      .trim(),
  )
  return words ? words[0].slice(0, LONGEST_NAME) : null
}
