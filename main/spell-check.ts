import type { Session } from 'electron'
import type { ShellState } from './shell-state.ts'

type Spelling = Pick<
  Session,
  'availableSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'setSpellCheckerLanguages'
>

/**
 * On Linux the browser part would fetch a word list from its maker's servers, which nobody has
 * asked for; the other systems bring theirs along.
 */
export const downloadsWordList = (platform: NodeJS.Platform): boolean => platform === 'linux'

/** What the person chose, else off where it would fetch something. */
export const wantsSpelling = (
  { checksSpelling }: Pick<ShellState, 'checksSpelling'>,
  platform: NodeJS.Platform,
): boolean => checksSpelling ?? !downloadsWordList(platform)

/** The word lists for a language, in the spelling of its country where one is named. */
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
  // macOS finds out by itself which language is written.
  const lists =
    platform === 'darwin' ? null : chooseWordLists(language, session.availableSpellCheckerLanguages)
  const checks = isOn && (lists === null || lists.length > 0)
  session.setSpellCheckerEnabled(checks)
  if (checks && lists !== null) session.setSpellCheckerLanguages(lists)
}
