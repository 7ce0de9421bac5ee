import { useTranslation } from 'react-i18next'
import { TRASH_DAYS } from '#contract/chats.ts'
import { formatRecent } from '../../lib/format-time.ts'

const SECONDS_PER_DAY = 86_400

/** Returns the days until the end of a deleted thing, begun ones included. */
function countDaysLeft(deletedAt: number): number {
  const age = (Date.now() / 1000 - deletedAt) / SECONDS_PER_DAY
  return Math.max(0, Math.ceil(TRASH_DAYS - age))
}

/** Time of a deletion, and the number of days in which it can be restored. */
export function KeptUntil({ deletedAt }: { deletedAt: number }) {
  const { t } = useTranslation()
  return (
    <>
      <span>{t('chats.deletedOn', { day: formatRecent(deletedAt) })}</span>
      <span aria-hidden="true"> · </span>
      <span>{t('chats.daysLeft', { count: countDaysLeft(deletedAt) })}</span>
    </>
  )
}
