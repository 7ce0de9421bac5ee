import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { call, endpoints } from '../../api/client.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { isGuest, type SessionStore } from './session-store.ts'

const LOOK_MILLISECONDS = 5000

type Pass = NonNullable<Awaited<ReturnType<typeof readPass>>>

const readPass = () => call(endpoints.sharing.ownPass, {})

/**
 * Shows guests when their pass ends, the number of messages left, and that their chats are deleted.
 */
export function GuestLine({ store }: { store: SessionStore }) {
  const { t } = useTranslation()
  const isVisiting = useStore(store, (state) => isGuest(state) && state.status === 'signed-in')
  const [pass, setPass] = useState<Pass | null>(null)
  useEffect(() => {
    if (!isVisiting) return undefined
    // A failed call keeps the previous state; an expired pass signs the guest out.
    const look = (): void => void readPass().then(setPass, () => undefined)
    look()
    const timer = setInterval(look, LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [isVisiting])
  if (!isVisiting || !pass) return null
  return (
    <p className="border-b border-line bg-sunken px-4 py-1.5 text-center text-small text-pretty">
      {t('auth.guest.until', { moment: formatMoment(pass.ends_at) })}{' '}
      {t('auth.guest.left', { count: pass.message_limit - pass.message_count })}{' '}
      {t('auth.guest.deleted')}
    </p>
  )
}
