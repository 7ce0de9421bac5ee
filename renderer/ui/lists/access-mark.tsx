import { Globe, Lock, UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'

/** Users of something that is shared with nobody, besides administrators. */
export type Unshared = 'private' | 'administrators' | 'everybody'

interface AccessMarkProps {
  readonly grants: readonly AccessGrant[]
  /** Who may use it without grants: its owner, unless it has none. */
  readonly unshared?: Unshared
}

const ICONS = { private: Lock, administrators: Lock, everybody: Globe, some: UsersRound }

/** Short label of who besides the owner may use something. */
export function AccessMark({ grants, unshared = 'private' }: AccessMarkProps) {
  const { t } = useTranslation()
  const isOpen = grants.some(({ principal_id: id }) => id === '*')
  const count = new Set(grants.map(({ principal_type: type, principal_id: id }) => `${type}:${id}`))
    .size
  const users = isOpen ? 'everybody' : count > 0 ? 'some' : unshared
  const Icon = ICONS[users]
  return (
    <span className="inline-flex items-center gap-1 align-top whitespace-nowrap">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {users === 'some' ? t('lists.access.some', { count }) : t(`lists.access.${users}`)}
    </span>
  )
}
