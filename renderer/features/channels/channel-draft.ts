import { useCallback, useState } from 'react'
import { useKept } from '../../lib/use-kept.ts'
import { mentionLabel, type Mention } from './mentions.ts'

/** A message not sent yet, with the mentions chosen in it. */
export interface ChannelDraft {
  readonly text: string
  readonly mentions: readonly Mention[]
}

export const EMPTY_DRAFT: ChannelDraft = Object.freeze({ text: '', mentions: [] })

const keyOf = (place: string): string => `draft:${place}`

const isMention = (value: unknown): value is Mention => {
  if (typeof value !== 'object' || value === null) return false
  const { kind, id, name } = value as Record<string, unknown>
  return (
    (kind === '@U' || kind === '@M' || kind === '#C') &&
    typeof id === 'string' &&
    typeof name === 'string'
  )
}

/** Returns the draft stored for a channel or thread. */
export function readDraft(place: string): ChannelDraft {
  try {
    const kept = JSON.parse(
      localStorage.getItem(keyOf(place)) ?? 'null',
    ) as Partial<ChannelDraft> | null
    if (typeof kept?.text !== 'string') return EMPTY_DRAFT
    return {
      text: kept.text,
      mentions: Array.isArray(kept.mentions) ? kept.mentions.filter(isMention) : [],
    }
  } catch {
    // Storage may be unavailable or contain data of another version: then there is no draft.
    return EMPTY_DRAFT
  }
}

export function keepDraft(place: string, { text, mentions }: ChannelDraft): void {
  try {
    if (text.trim() === '') localStorage.removeItem(keyOf(place))
    else
      localStorage.setItem(
        keyOf(place),
        JSON.stringify({
          text,
          mentions: mentions.filter((each) => text.includes(mentionLabel(each))),
        }),
      )
  } catch {
    // Without storage the draft lasts until the page is closed.
  }
}

/**
 * Returns the draft of a channel or thread, stored on changes and once more when the page closes.
 */
export function useChannelDraft(place: string): {
  readonly draft: ChannelDraft
  readonly change: (next: ChannelDraft) => void
} {
  const [draft, setDraft] = useState(() => readDraft(place))
  const keepLater = useKept(place, keepDraft)
  const change = useCallback(
    (next: ChannelDraft) => {
      keepLater(next)
      setDraft(next)
    },
    [keepLater],
  )
  return { draft, change }
}
