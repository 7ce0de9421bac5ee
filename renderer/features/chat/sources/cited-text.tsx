import { useMemo } from 'react'
import { type Citations, CitationContext } from '../../../ui/markdown/citation-mark.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { chatViewStore, openSource } from '../chat-view-store.ts'
import { type ReadSource, toPlace, toQuote } from '../../../ui/sources/read-sources.ts'

const QUOTE = 240

interface CitedTextProps {
  readonly text: string
  readonly isGrowing: boolean
  readonly sources: readonly ReadSource[]
  readonly messageId: string
}

/** The text of an answer, with its bracketed numbers linked to its sources. */
export function CitedText({ text, isGrowing, sources, messageId }: CitedTextProps) {
  const citations = useMemo(
    (): Citations => ({
      sources: sources.map(({ name, passages }) => ({
        name,
        place: toPlace(passages),
        quote: passages[0] ? toQuote(passages[0], QUOTE) : '',
      })),
      open: (index, claim) =>
        openSource(chatViewStore, { messageId, source: index, passage: null, claim }),
    }),
    [sources, messageId],
  )
  return (
    <CitationContext value={citations}>
      <Markdown text={text} isGrowing={isGrowing} />
    </CitationContext>
  )
}
