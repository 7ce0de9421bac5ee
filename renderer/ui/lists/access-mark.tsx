import { Globe, Lock, UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'

/** Short label of who besides the owner may use something. */
export function AccessMark({ grants }: { grants: readonly AccessGrant[] }) {
  const { t } = useTranslation()
  const isOpen = grants.some(({ principal_id: id }) => id === '*')
  const count = new Set(grants.map(({ principal_type: type, principal_id: id }) => `${type}:${id}`))
    .size
  const Icon = isOpen ? Globe : count > 0 ? UsersRound : Lock
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {isOpen
        ? t('lists.access.everybody')
        : count > 0
          ? t('lists.access.some', { count })
          : t('lists.access.private')}
    </span>
  )
}
