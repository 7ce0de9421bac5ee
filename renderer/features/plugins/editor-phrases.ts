import type { TFunction } from 'i18next'

/** Texts of the code editor itself, by its own keys. */
const PHRASES = {
  'Fold line': 'foldLine',
  'Unfold line': 'unfoldLine',
  'folded code': 'folded',
  unfold: 'unfold',
  Find: 'find',
  Replace: 'replaceWith',
  next: 'next',
  previous: 'previous',
  all: 'all',
  'match case': 'matchCase',
  regexp: 'regexp',
  'by word': 'byWord',
  replace: 'replace',
  'replace all': 'replaceAll',
  close: 'close',
  'current match': 'currentMatch',
  'on line': 'onLine',
  'replaced $ matches': 'replacedMatches',
  'replaced match on line $': 'replacedMatch',
  'Go to line': 'goToLine',
  go: 'go',
  Completions: 'completions',
  'Control character': 'controlCharacter',
  'Selection deleted': 'selectionDeleted',
} as const

/** Returns the phrases in the language of the UI. */
export const editorPhrases = (t: TFunction): Record<string, string> =>
  Object.fromEntries(
    Object.entries(PHRASES).map(([phrase, key]) => [phrase, t(`plugins.codeEditor.${key}`)]),
  )
