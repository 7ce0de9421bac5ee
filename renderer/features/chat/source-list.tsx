import { useTranslation } from 'react-i18next'
import { ExternalLink } from '../../ui/markdown/external-link.tsx'

interface Source {
  readonly name: string
  readonly url: unknown
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const toName = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 200) : '')

/** Sources come in several shapes; what matters is a name and, where there is one, an address. */
export function toSource(value: unknown, fallback: string): Source {
  const outer = isRecord(value) ? value : {}
  const inner = isRecord(outer.source) ? outer.source : outer
  return { name: toName(inner.name) || toName(inner.title) || toName(inner.url) || fallback, url: inner.url }
}

/** What an answer rests on, numbered as in the text. */
export function SourceList({ sources }: { sources: readonly unknown[] }) {
  const { t } = useTranslation()
  return (
    <ol aria-label={t('chat.sources.list')} className="mt-4 flex flex-wrap gap-1.5 text-small">
      {sources.map((value, index) => {
        const source = toSource(value, t('chat.sources.untitled', { number: index + 1 }))
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the number of a source is its place
          <li key={index} className="flex max-w-64 items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 py-0.5 text-muted">
            <span className="tabular-nums">{index + 1}</span>
            <ExternalLink href={source.url} className="truncate text-ink">
              {source.name}
            </ExternalLink>
          </li>
        )
      })}
    </ol>
  )
}
