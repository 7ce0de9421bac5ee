import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { navigate, toPath } from '../../../lib/router.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Popover } from '../../../ui/floating/popover.tsx'
import { Tooltip } from '../../../ui/floating/tooltip.tsx'
import type { WebSearchRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { chooseFeature } from './choose-feature.ts'
import { presetOf, WEB_SEARCH } from './chosen-tools.ts'
import { FeatureButton } from '../../../ui/controls/feature-button.tsx'

interface WebSearchSwitchProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: WebSearchRights
}

/** Enables web search for the next answers; states what is missing while that is unavailable. */
export function WebSearchSwitch({ store, model, rights }: WebSearchSwitchProps) {
  const { t } = useTranslation()
  const isOn = useStore(store, (state) =>
    (state.tools ?? presetOf(model)).featureIds.includes(WEB_SEARCH),
  )
  if (!rights.isOffered || model?.searchesWeb === false) return null
  if (!rights.isReady) return <MissingEngine rights={rights} />
  const label = t('chat.webSearch.label')
  return (
    <Tooltip text={t(isOn ? 'chat.webSearch.on' : 'chat.webSearch.off')} side="top">
      <FeatureButton
        aria-pressed={isOn}
        icon={<Globe />}
        label={label}
        short={t('chat.webSearch.short')}
        isOn={isOn}
        onClick={() => chooseFeature(store, model, WEB_SEARCH, !isOn)}
      />
    </Tooltip>
  )
}

const openDocuments = (): void => navigate(toPath({ name: 'settings', page: 'documents' }))

function MissingEngine({ rights }: Pick<WebSearchSwitchProps, 'rights'>) {
  const { t } = useTranslation()
  return (
    <Popover
      isSheet
      side="top"
      label={t('chat.webSearch.label')}
      className="w-72 p-3.5"
      trigger={
        <FeatureButton
          icon={<Globe />}
          label={t('chat.webSearch.label')}
          short={t('chat.webSearch.short')}
        />
      }
    >
      <h2 className="font-semibold">{t('chat.webSearch.label')}</h2>
      <p className="mt-1 text-small text-muted">
        {t(rights.mayConfigure ? 'chat.webSearch.setUp' : 'chat.webSearch.askAdministrator')}
      </p>
      {rights.mayConfigure && (
        <Button className="mt-3" onClick={openDocuments}>
          {t('chat.webSearch.openSettings')}
        </Button>
      )}
    </Popover>
  )
}
