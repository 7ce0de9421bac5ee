import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/marks/badge.tsx'

interface ListedTool {
  readonly name: string
  readonly description: string
  /** True if it differs from the approved version. */
  readonly isChanged?: boolean
}

/** Tools of a server, initially collapsed. */
export function ToolList({ tools }: { tools: readonly ListedTool[] }) {
  const { t } = useTranslation()
  if (tools.length === 0) return null
  return (
    <details className="mt-1.5 text-small">
      <summary className="w-fit rounded-small text-muted hover:text-ink">
        {t('toolServers.tools', { count: tools.length })}
      </summary>
      <dl className="mt-1.5 flex flex-col gap-1.5 border-s border-line ps-3">
        {tools.map(({ name, description, isChanged }) => (
          <div key={name}>
            <dt>
              <code className="font-mono wrap-anywhere">{name}</code>
              {isChanged && <Badge tone="warning">{t('toolServers.changed')}</Badge>}
            </dt>
            <dd className="line-clamp-3 text-muted">
              <bdi>{description}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
