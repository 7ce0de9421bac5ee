import { useTranslation } from 'react-i18next'
import { TRASH_DAYS } from '#contract/chats.ts'
import { formatRecent } from '../../lib/format-time.ts'

const SECONDS_PER_DAY = 86_400

/** Time of a deletion, and the number of days in which it can be restored. */
export function KeptUntil({ deletedAt }: { deletedAt: number }) {
  const { t } = useTranslation()
  const left = deletedAt / SECONDS_PER_DAY + TRASH_DAYS - Date.now() / 1000 / SECONDS_PER_DAY
  return (
    <>
      <span>{t('chats.deletedOn', { day: formatRecent(deletedAt) })}</span>
      <span aria-hidden="true"> · </span>
      <span>{t('chats.daysLeft', { count: Math.max(0, Math.ceil(left)) })}</span>
    </>
  )
}
