import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { OriginBadge } from '../../ui/settings/origin-badge.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { EngineForm } from './engine-form.tsx'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { findOffered, SuggestedModels, type SuggestedModel } from './suggested-models.tsx'

/**
 * Returns models of connections that may support embedding; none if the gateway cannot list them.
 */
function useSuggestions(): readonly SuggestedModel[] {
  const [suggestions, setSuggestions] = useState<readonly SuggestedModel[]>([])
  useEffect(() => {
    call(endpoints.retrieval.suggestEngines, {}).then(setSuggestions, () => undefined)
  }, [])
  return suggestions
}

interface EngineSectionProps {
  readonly settings: readonly Setting[]
  readonly onSave: SaveSettings
}

/** Settings of the embedding engine, which makes texts comparable by meaning. */
export function EngineSection({ settings, onSave }: EngineSectionProps) {
  const { t } = useTranslation()
  const current = settings.find(({ key }) => key === 'RAG_EMBEDDING_ENGINE')
  const model = settings.find(({ key }) => key === 'RAG_EMBEDDING_MODEL')
  const suggestions = findOffered(useSuggestions(), settings)
  return (
    <PageSection
      title={t('retrieval.engine.title')}
      text={t('retrieval.engine.text')}
      action={current && current.origin !== 'default' && <OriginBadge setting={current} />}
    >
      <SuggestedModels
        title={t('retrieval.engine.suggested')}
        suggestions={suggestions}
        onSave={onSave}
      />
      <EngineForm
        key={JSON.stringify([current?.value, model?.value])}
        settings={settings}
        isLocked={current?.locked === true}
        onSave={onSave}
      />
    </PageSection>
  )
}
