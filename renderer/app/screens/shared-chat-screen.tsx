import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { SharedChat } from '../../features/share/shared-chat.tsx'
import { sessionStore } from '../stores.ts'

/** The page behind a share link. */
export function SharedChatScreen({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const name = useStore(sessionStore, (state) => state.config?.name) ?? t('common.productName')
  return <SharedChat shareId={shareId} productName={name} />
}
