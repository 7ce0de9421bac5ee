import type { Session } from 'electron'
import type { ShellState } from '../profile/shell-state.ts'
import type { WindowTraffic } from '../security/window-traffic.ts'

type SpellingSession = Pick<
  Session,
  | 'availableSpellCheckerLanguages'
  | 'setSpellCheckerDictionaryDownloadURL'
  | 'setSpellCheckerEnabled'
  | 'setSpellCheckerLanguages'
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

/** Address from which Chromium downloads word lists. */
const WORD_LISTS = { host: 'redirector.gvt1.com', port: 443 } as const
const WORD_LIST_ADDRESS = `https://${WORD_LISTS.host}/edgedl/chrome/dict/`
/** An address whose port browsers refuse to open. */
const NOWHERE = 'http://127.0.0.1:1/'

/**
 * Keeps Chromium from downloading a word list until spelling is checked. It would download one for
 * every new session, checked or not. The address counts for all sessions.
 */
export function withholdWordLists(
  session: Pick<Session, 'setSpellCheckerDictionaryDownloadURL'>,
): void {
  session.setSpellCheckerDictionaryDownloadURL(NOWHERE)
}

interface Spelling {
  readonly isOn: boolean
  readonly language: string
  readonly platform: NodeJS.Platform
}

/** Checks spelling in a language, or not at all. A language without a word list is not checked. */
export function checkSpelling(
  session: SpellingSession,
  { isOn, language, platform }: Spelling,
): void {
  // macOS detects the written language by itself.
  const lists =
    platform === 'darwin' ? null : chooseWordLists(language, session.availableSpellCheckerLanguages)
  const checks = isOn && (lists === null || lists.length > 0)
  if (downloadsWordList(platform))
    session.setSpellCheckerDictionaryDownloadURL(checks ? WORD_LIST_ADDRESS : NOWHERE)
  session.setSpellCheckerEnabled(checks)
  if (checks && lists !== null) session.setSpellCheckerLanguages(lists)
}

/**
 * Checks spelling as chosen, but where that may download a word list, only once the gateway allows
 * it: such a download does not pass the session's own check of requests. `mayLeave` rejects while
 * the gateway is not running.
 */
export async function checkSpellingIfAllowed(
  session: SpellingSession,
  choose: () => Spelling,
  mayLeave: (host: string, port: number, purpose: 'word_list') => Promise<boolean>,
): Promise<void> {
  const first = choose()
  if (!downloadsWordList(first.platform)) return checkSpelling(session, first)
  checkSpelling(session, { ...first, isOn: false })
  if (!first.isOn) return
  const { host, port } = WORD_LISTS
  const isAllowed = await mayLeave(host, port, 'word_list').catch(() => false)
  // It may have been chosen otherwise meanwhile.
  const last = choose()
  checkSpelling(session, { ...last, isOn: last.isOn && isAllowed })
}

/** Reports downloads of word lists, which pass no check of requests and tell no sizes. */
export function reportWordLists(
  session: Pick<Session, 'on'>,
  traffic: Pick<WindowTraffic, 'reportWhole'>,
): void {
  session.on('spellcheck-dictionary-download-begin', () =>
    traffic.reportWhole({ ...WORD_LISTS, purpose: 'word_list' }),
  )
}
