import type { AttachedEntry } from '../../../ui/attachments/attached-entry.ts'

/**
 * A message not sent yet. Large pasted texts are kept separate from the typed text, so that typing
 * stays fast.
 */
export interface Draft {
  readonly text: string
  readonly pastes: readonly string[]
}

export const emptyDraft: Draft = Object.freeze({ text: '', pastes: [] })

const keyOf = (chatId: string | null): string => `draft:${chatId ?? 'new'}`

/** Number of lines from which a pasted text is attached instead of inserted into the box. */
export const LARGE_PASTE_LINES = 200
const LARGE_PASTE_LENGTH = 8000

export const countLines = (text: string): number => text.split('\n').length

export const isLargePaste = (text: string): boolean =>
  text.length > LARGE_PASTE_LENGTH || countLines(text) >= LARGE_PASTE_LINES

export const isBlank = (draft: Draft): boolean =>
  draft.text.trim() === '' && draft.pastes.length === 0

/** Joins several drafts into one, their texts below each other. */
export const joinDrafts = (...drafts: readonly Draft[]): Draft => ({
  text: drafts
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n'),
  pastes: drafts.flatMap(({ pastes }) => pastes),
})

/** Returns the message text of a draft: the pasted texts if nothing was typed. */
export const toMessageText = (draft: Draft): string =>
  draft.text.trim() || draft.pastes.join('\n\n')

/** Returns pasted texts as attachments of the message, to be read verbatim. */
export const toPastedEntries = ({ text, pastes }: Draft, name: string): readonly AttachedEntry[] =>
  text.trim() === ''
    ? []
    : pastes.map((content, index) => ({
        type: 'text',
        id: `paste-${index + 1}`,
        name,
        content,
        context: 'full',
        status: 'processed',
      }))

/** Returns a rough estimate that needs no model: four characters per token. */
export const estimateTokens = (draft: Draft): number =>
  Math.ceil((draft.text.length + draft.pastes.reduce((sum, paste) => sum + paste.length, 0)) / 4)

function parseDraft(stored: string): Draft {
  const value = JSON.parse(stored) as Partial<Draft> | null
  return {
    text: typeof value?.text === 'string' ? value.text : '',
    pastes: Array.isArray(value?.pastes)
      ? value.pastes.filter((paste) => typeof paste === 'string')
      : [],
  }
}

/** Returns the draft stored for a chat. */
export function readDraft(chatId: string | null): Draft {
  try {
    const stored = localStorage.getItem(keyOf(chatId))
    return stored === null ? emptyDraft : parseDraft(stored)
  } catch {
    // Storage may be unavailable or contain data of another version: then there is no draft.
    return emptyDraft
  }
}

/**
 * Stores a draft so that it survives reloads and crashes; returns false if the browser has no space
 * for it.
 */
export function keepDraft(chatId: string | null, draft: Draft): boolean {
  try {
    if (isBlank(draft)) localStorage.removeItem(keyOf(chatId))
    else localStorage.setItem(keyOf(chatId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}
