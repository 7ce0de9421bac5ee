import { BookOpenText, Ellipsis, Globe, Trash2, UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { formatAge } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { workspacePath } from '../../lib/router.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

/** Whom a collection is open to, in two words. */
function AccessBadge({ access_grants: grants }: Pick<KnowledgeRecord, 'access_grants'>) {
  const { t } = useTranslation()
  if (grants.length === 0) return null
  if (grants.some(({ principal_id: id }) => id === '*')) {
    return <Badge icon={<Globe aria-hidden="true" />}>{t('knowledge.access.everybody')}</Badge>
  }
  const count = new Set(grants.map(({ principal_type: type, principal_id: id }) => `${type}:${id}`))
    .size
  return (
    <Badge icon={<UsersRound aria-hidden="true" />}>{t('knowledge.access.some', { count })}</Badge>
  )
}

function StateBadge({ status, file_count: count }: Pick<KnowledgeRecord, 'status' | 'file_count'>) {
  const { t } = useTranslation()
  if (count === 0 || status === 'processed') return null
  return (
    <Badge tone={status === 'error' ? 'warning' : 'accent'}>
      {t(`knowledge.status.${status}`)}
    </Badge>
  )
}

/** One collection of the list; a click opens it. */
export function KnowledgeRow({
  collection,
  onRemove,
}: {
  collection: KnowledgeRecord
  onRemove: () => void
}) {
  const { t } = useTranslation()
  const { id, name, description, file_count: count, updated_at, write_access, user } = collection
  return (
    <li className="relative flex items-start gap-3 py-3 ps-4 pe-2 hover:bg-hover">
      <BookOpenText aria-hidden="true" className="mt-0.5 size-5 shrink-0 stroke-[1.6] text-muted" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <a
            href={workspacePath('knowledge', id)}
            onClick={handleLink}
            className="max-w-full truncate font-medium text-ink no-underline after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <bdi>{name}</bdi>
          </a>
          <StateBadge {...collection} />
          <AccessBadge {...collection} />
        </div>
        {description && (
          <bdi className="mt-0.5 line-clamp-2 text-small break-words text-muted">{description}</bdi>
        )}
        <p className="mt-0.5 text-small text-muted">
          {t('knowledge.fileCount', { count })} ·{' '}
          {t('knowledge.changed', { time: formatAge(updated_at) })}
          {!write_access && user && ` · ${t('knowledge.by', { name: user.name })}`}
        </p>
      </div>
      {write_access && (
        <span className="relative">
          <Menu
            trigger={<IconButton label={t('knowledge.actionsOf', { name })} icon={<Ellipsis />} />}
          >
            <MenuItem danger icon={<Trash2 />} onSelect={onRemove}>
              {t('common.delete')}
            </MenuItem>
          </Menu>
        </span>
      )}
    </li>
  )
}
