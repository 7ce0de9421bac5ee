import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { WebSearchRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { WEB_SEARCH } from './chosen-tools.ts'
import { FeatureSwitch, MissingFeature } from './feature-switch.tsx'

interface WebSearchSwitchProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: WebSearchRights
}

const LOOK = { icon: <Globe />, texts: 'chat.webSearch' } as const

/** Enables web search for the next answers; states what is missing while that is unavailable. */
export function WebSearchSwitch({ store, model, rights }: WebSearchSwitchProps) {
  const { t } = useTranslation()
  if (!rights.isOffered || model?.searchesWeb === false) return null
  if (rights.isReady)
    return <FeatureSwitch {...LOOK} store={store} model={model} feature={WEB_SEARCH} />
  return rights.mayConfigure ? (
    <MissingFeature {...LOOK} text={t('chat.webSearch.setUp')} page="documents" />
  ) : (
    <MissingFeature {...LOOK} text={t('chat.webSearch.askAdministrator')} />
  )
}
