import { createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { lastClaim } from '../sources/locate-claim.ts'
import { Tooltip } from '../tooltip.tsx'
import './citation-mark.css'

/** A source as its mark in the text needs it. */
export interface CitedSource {
  readonly name: string
  /** Where in it, such as a page. */
  readonly place: string | null
  /** The beginning of what was found there. */
  readonly quote: string
}

/** The sources of an answer in the order of their numbers, and what a press on a number does. */
export interface Citations {
  readonly sources: readonly CitedSource[]
  readonly open: (index: number, claim: string) => void
}

/** What stands together: a number is the source of what comes before it there. */
const BLOCK = 'tr, p, li, dd, blockquote, h1, h2, h3, h4, h5, h6'

/** The words before a mark, without the marks among them. */
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

/** Null where numbers in brackets mean nothing. */
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

/**
 * A number in the text that leads to its source; plain text when there is none with that number.
 */
export function CitationMark({ numbers, children }: { numbers?: unknown; children?: ReactNode }) {
  const { t } = useTranslation()
  const citations = useContext(CitationContext)
  const named = (typeof numbers === 'string' ? numbers : '')
    .split(',')
    .map((part) => Number(part) - 1)
  if (!citations || !named.every((index) => citations.sources[index])) return children
  return (
    <span className="citations">
      {named.map((index) => {
        const source = citations.sources[index]!
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
