import { Monitor, UserRound, UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isForAdmins, type SettingsPage } from '../../lib/router.ts'
import { Badge } from '../../ui/marks/badge.tsx'

const ICONS = { me: <UserRound />, device: <Monitor />, everyone: <UsersRound /> } as const

/** Settings of the app or the browser in use rather than of the account. */
const OF_THE_DEVICE: readonly SettingsPage[] = ['desktop', 'voice']

/** Pages that change nothing. */
const NEUTRAL: readonly SettingsPage[] = ['about']

/** For whom the settings of a page count. */
export function ScopeBadge({ page }: { page: SettingsPage }) {
  const { t } = useTranslation()
  if (NEUTRAL.includes(page)) return null
  const scope = isForAdmins(page) ? 'everyone' : OF_THE_DEVICE.includes(page) ? 'device' : 'me'
  return <Badge icon={ICONS[scope]}>{t(`settings.scope.${scope}`)}</Badge>
}
