import { UserRound, UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/marks/badge.tsx'

/** Whether a server is the user's own or one of the gateway. */
export function OwnerBadge({ owner }: { owner: 'own' | 'shared' }) {
  const { t } = useTranslation()
  return (
    <Badge icon={owner === 'own' ? <UserRound /> : <UsersRound />}>
      {t(`toolServers.owner.${owner}`)}
    </Badge>
  )
}
