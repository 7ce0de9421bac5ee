import { createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
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
  readonly open: (index: number) => void
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
              onClick={() => citations.open(index)}
            >
              {index + 1}
            </button>
          </Tooltip>
        )
      })}
    </span>
  )
}
