import { BookOpenText, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { formatAge } from '../../lib/format-time.ts'
import { workspacePath } from '../../lib/router.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'

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
    <ListRow
      icon={<BookOpenText />}
      name={name}
      href={workspacePath('knowledge', id)}
      badges={<StateBadge {...collection} />}
      description={description}
      facts={[
        t('knowledge.fileCount', { count }),
        t('knowledge.changed', { time: formatAge(updated_at) }),
        write_access ? (
          <AccessMark key="access" grants={collection.access_grants} />
        ) : (
          user && t('knowledge.by', { name: user.name })
        ),
      ]}
      menu={
        write_access && (
          <MoreMenu label={t('knowledge.actionsOf', { name })}>
            <MenuItem danger icon={<Trash2 />} onSelect={onRemove}>
              {t('common.delete')}
            </MenuItem>
          </MoreMenu>
        )
      }
    />
  )
}
