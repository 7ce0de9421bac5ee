import { useTranslation } from 'react-i18next'
import { ExternalLink } from '../../../ui/markdown/external-link.tsx'
import type { Status, StatusLink } from './read-statuses.ts'

const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

function Page({ url, title }: StatusLink) {
  const host = hostOf(url)
  return (
    <li className="min-w-0">
      <ExternalLink
        href={url}
        className="flex min-h-6 max-w-full min-w-0 items-center gap-2 rounded-small hover:text-ink pointer-coarse:min-h-11"
      >
        <bdi className="truncate underline decoration-line underline-offset-2">{title}</bdi>
        {host !== '' && host !== title && (
          <span className="shrink-0 text-muted max-sm:hidden">{host}</span>
        )}
      </ExternalLink>
    </li>
  )
}

/** Queries and results of a step. */
export function StatusDetails({ status }: { status: Status }) {
  const { t } = useTranslation()
  const { queries, links } = status
  if (queries.length === 0 && links.length === 0) return null
  return (
    <div className="mt-1 ms-5.5 flex flex-col gap-1 text-small">
      {links.length === 0 && (
        <ul aria-label={t('chat.status.queries')} className="flex flex-wrap gap-1">
          {queries.map((query) => (
            <li
              key={query}
              className="max-w-full rounded-small bg-sunken px-1.5 py-0.5 wrap-anywhere"
            >
              <bdi>{query}</bdi>
            </li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <ul aria-label={t('chat.status.pages')} className="flex min-w-0 flex-col">
          {links.map((link) => (
            <Page key={link.url} {...link} />
          ))}
        </ul>
      )}
    </div>
  )
}
