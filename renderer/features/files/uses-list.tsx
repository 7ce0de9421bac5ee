import { useTranslation } from 'react-i18next'
import type { FileUses } from '#contract/files.ts'
import { call, endpoints } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { workspacePath } from '../../lib/router.ts'
import { PageWait } from '../../ui/layout/page-wait.tsx'

function Links({
  title,
  items,
  area,
}: {
  title: string
  items: FileUses['models']
  area: 'knowledge' | 'models'
}) {
  if (items.length === 0) return null
  return (
    <li className="px-3 py-2">
      <span className="text-small text-muted">{title}</span>
      <ul className="flex flex-wrap gap-x-3">
        {items.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <a
              href={workspacePath(area, id)}
              onClick={handleLink}
              className="text-accent-strong wrap-anywhere dark:text-accent"
            >
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** Items that use a file. */
export function UsesList({ fileId }: { fileId: string }) {
  const { t } = useTranslation()
  const { value: uses, problem } = useLoaded(
    () => call(endpoints.files.uses, { params: { file_id: fileId } }),
    [fileId],
  )
  if (problem !== null) return <p className="text-danger">{problem}</p>
  if (uses === null) return <PageWait shape="lines" />
  const { collections, models, chats, folders, others } = uses
  const counts = [
    chats > 0 && t('files.uses.chats', { count: chats }),
    folders > 0 && t('files.uses.folders', { count: folders }),
    others > 0 && t('files.uses.others', { count: others }),
  ].filter((text) => text !== false)
  if (collections.length === 0 && models.length === 0 && counts.length === 0)
    return <p>{t('files.uses.none')}</p>
  return (
    <ul
      aria-label={t('files.uses.title')}
      className="divide-y divide-line rounded-medium border border-line"
    >
      <Links title={t('files.uses.collections')} items={collections} area="knowledge" />
      <Links title={t('files.uses.models')} items={models} area="models" />
      {counts.map((text) => (
        <li key={text} className="px-3 py-2">
          {text}
        </li>
      ))}
    </ul>
  )
}
