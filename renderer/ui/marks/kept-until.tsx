import { useTranslation } from 'react-i18next'
import { TRASH_DAYS } from '#contract/chats.ts'
import { formatDay } from '../../lib/format-time.ts'

const SECONDS_PER_DAY = 86_400

/** Time of a deletion, and the date until which it can be restored. */
export function KeptUntil({ deletedAt }: { deletedAt: number }) {
  const { t } = useTranslation()
  const until = formatDay(deletedAt + TRASH_DAYS * SECONDS_PER_DAY)
  return (
    <>
      <span>{t('chats.deletedOn', { day: formatDay(deletedAt) })}</span>
      <span aria-hidden="true"> · </span>
      <span>{t('chats.keptUntil', { day: until })}</span>
    </>
  )
}
