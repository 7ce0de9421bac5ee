import { useTranslation } from 'react-i18next'
import { TRASH_DAYS } from '#contract/chats.ts'
import { formatDay } from '../lib/format-time.ts'

const SECONDS_PER_DAY = 86_400

/** When something was deleted, and the day until which it can be brought back. */
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
