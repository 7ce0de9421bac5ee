/** User agent patterns; browsers that imitate others come first. */
const PROGRAMS = [
  [/\bElectron\//, 'Chat Gateway'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const find = (table: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Returns a readable name of a client: `Firefox · Linux`; a client that is not a browser by its own
 * name.
 */
export function nameDevice(userAgent: string): string {
  const program = find(PROGRAMS, userAgent) ?? userAgent.split(/[\s/(]/, 1)[0]
  return [program, find(SYSTEMS, userAgent)].filter(Boolean).join(' · ')
}
