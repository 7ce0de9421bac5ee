import { Archive } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Label of an archived chat, wherever its title is shown. */
export function ArchivedMark() {
  const { t } = useTranslation()
  return (
    <span className="flex shrink-0 items-center text-muted" title={t('chats.archivedMark')}>
      <Archive className="size-3.5" />
      <span className="sr-only">{t('chats.archivedMark')}</span>
    </span>
  )
}
