import { createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { lastClaim } from '../sources/locate-claim.ts'
import { toast } from '../floating/toast.tsx'
import { Tooltip } from '../floating/tooltip.tsx'
import './citation-mark.css'

/** A source in the form needed by its citation mark. */
export interface CitedSource {
  readonly name: string
  /** Location in the source, such as a page. */
  readonly place: string | null
  /** Beginning of the passage found there. */
  readonly quote: string
}

/**
 * The sources of an answer in the order of their numbers, and the callback for a press on a number.
 */
export interface Citations {
  readonly sources: readonly CitedSource[]
  readonly open: (index: number, claim: string) => void
}

/** Selector of blocks: a number cites the source of the preceding text in its block. */
const BLOCK = 'tr, p, li, dd, blockquote, h1, h2, h3, h4, h5, h6'

/** Returns the text before a mark, without the marks in it. */
function wordsBefore(mark: Element): string {
  const block = mark.closest(BLOCK)
  if (!block) return ''
  const range = document.createRange()
  range.selectNodeContents(block)
  if (block.tagName !== 'TR') range.setEndBefore(mark.closest('.citations') ?? mark)
  const words = range.cloneContents()
  for (const other of words.querySelectorAll('.citations')) other.remove()
  return words.textContent
}

/** Null if bracketed numbers are not citations. */
export const CitationContext = createContext<Citations | null>(null)

function Preview({ source }: { source: CitedSource }) {
  return (
    <span className="block max-w-64 py-0.5">
      <bdi className="block truncate font-semibold">{source.name}</bdi>
      {source.place && <span className="block opacity-80">{source.place}</span>}
      {source.quote && <bdi className="mt-1 line-clamp-3 block opacity-90">{source.quote}</bdi>}
    </span>
  )
}

/** A number of no source: models invent some. Says so, instead of looking like a part of the text. */
function UnknownMark({ number }: { number: number }) {
  const { t } = useTranslation()
  const words = t('chat.sources.unknown', { number })
  return (
    <Tooltip side="top" text={words}>
      <button
        type="button"
        className="citation citation-unknown"
        aria-label={words}
        onClick={() => toast({ text: words })}
      >
        {number}
      </button>
    </Tooltip>
  )
}

/**
 * A number in the text that opens its source; plain text in an answer without sources, and for a
 * list with a zero, which is never a number of a source.
 */
export function CitationMark({ numbers, children }: { numbers?: unknown; children?: ReactNode }) {
  const { t } = useTranslation()
  const citations = useContext(CitationContext)
  const named = (typeof numbers === 'string' ? numbers : '')
    .split(',')
    .map((part) => Number(part) - 1)
  if (!citations || citations.sources.length === 0 || named.some((index) => !(index >= 0)))
    return children
  return (
    <span className="citations">
      {named.map((index) => {
        const source = citations.sources[index]
        if (!source) return <UnknownMark key={index} number={index + 1} />
        return (
          <Tooltip key={index} side="top" text={<Preview source={source} />}>
            <button
              type="button"
              className="citation"
              aria-label={t('chat.sources.openNumber', { number: index + 1, name: source.name })}
              onClick={(event) =>
                citations.open(index, lastClaim(wordsBefore(event.currentTarget)))
              }
            >
              {index + 1}
            </button>
          </Tooltip>
        )
      })}
    </span>
  )
}
