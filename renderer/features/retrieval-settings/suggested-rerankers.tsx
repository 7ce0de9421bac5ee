import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import { findOffered, SuggestedModels, type SuggestedModel } from './suggested-models.tsx'

interface SuggestedRerankersProps {
  readonly settings: readonly Setting[]
  readonly onSave: SaveSettings
}

/** Offers the models of local runtimes that rank passages, except the one in use. */
export function SuggestedRerankers({ settings, onSave }: SuggestedRerankersProps) {
  const { t } = useTranslation()
  const [suggestions, setSuggestions] = useState<readonly SuggestedModel[]>([])
  useEffect(() => {
    call(endpoints.retrieval.suggestRerankers, {}).then(setSuggestions, () => undefined)
  }, [])
  return (
    <SuggestedModels
      title={t('retrieval.parts.reranking.suggested')}
      suggestions={findOffered(suggestions, settings)}
      onSave={onSave}
    />
  )
}
