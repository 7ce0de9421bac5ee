import type { Session } from 'electron'
import type { ShellState } from './shell-state.ts'

type Spelling = Pick<
  Session,
  'availableSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'setSpellCheckerLanguages'
>

/**
 * On Linux, Chromium would download a word list from its vendor's servers without the user's
 * consent; the other systems include theirs.
 */
export const downloadsWordList = (platform: NodeJS.Platform): boolean => platform === 'linux'

/** Returns the user's choice; by default off if it would download something. */
export const wantsSpelling = (
  { checksSpelling }: Pick<ShellState, 'checksSpelling'>,
  platform: NodeJS.Platform,
): boolean => checksSpelling ?? !downloadsWordList(platform)

/** Returns the word lists for a language, in its regional variant if one is given. */
export function chooseWordLists(language: string, available: readonly string[]): string[] {
  const exact = available.filter((each) => each.toLowerCase() === language.toLowerCase())
  if (exact.length > 0) return exact
  const [base = ''] = language.toLowerCase().split('-')
  const related = available.filter((each) => each.toLowerCase().split('-')[0] === base)
  const usual = related.find((each) => each === base || each === `${base}-US`)
  return related.length === 0 ? [] : [usual ?? related[0]!]
}

/** Checks spelling in a language, or not at all. A language without a word list is not checked. */
export function checkSpelling(
  session: Spelling,
  { isOn, language, platform }: { isOn: boolean; language: string; platform: NodeJS.Platform },
): void {
  // macOS detects the written language by itself.
  const lists =
    platform === 'darwin' ? null : chooseWordLists(language, session.availableSpellCheckerLanguages)
  const checks = isOn && (lists === null || lists.length > 0)
  session.setSpellCheckerEnabled(checks)
  if (checks && lists !== null) session.setSpellCheckerLanguages(lists)
}
