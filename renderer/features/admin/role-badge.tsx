import { useTranslation } from 'react-i18next'
import type { User } from '#contract/users.ts'
import { Badge, type BadgeTone } from '../../ui/marks/badge.tsx'

const TONES: Record<User['role'], BadgeTone> = {
  admin: 'accent',
  user: 'neutral',
  pending: 'warning',
}

/** Label of a user's role. */
export function RoleBadge({ role }: { role: User['role'] }) {
  const { t } = useTranslation()
  return <Badge tone={TONES[role]}>{t(`admin.users.roles.${role}`)}</Badge>
}
