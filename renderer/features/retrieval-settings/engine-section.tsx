import '../../lib/strings/setting-pages.ts'
import { Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { EngineForm } from './engine-form.tsx'
import type { SaveSettings } from './documents-store.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'

type Suggestion = EndpointOutput<typeof endpoints.retrieval.suggestEngines>[number]

/**
 * Returns models of connections that may support embedding; none if the gateway cannot list them.
 */
function useSuggestions(): readonly Suggestion[] {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  useEffect(() => {
    call(endpoints.retrieval.suggestEngines, {}).then(setSuggestions, () => undefined)
  }, [])
  return suggestions
}

function Suggestions({
  suggestions,
  onSave,
}: {
  suggestions: readonly Suggestion[]
  onSave: SaveSettings
}) {
  const { t } = useTranslation()
  const saving = useAction((suggestion: Suggestion) => onSave(suggestion.settings))
  return (
    <div className="mb-4 rounded-large border border-line bg-sunken px-4 py-3">
      <p className="mb-2 flex items-center gap-2 font-medium">
        <Sparkles className="size-4 text-accent" />
        {t('retrieval.engine.suggested')}
      </p>
      <FormProblem text={saving.problem} />
      <ul className="flex flex-col gap-1">
        {suggestions.map((suggestion) => (
          <li
            key={suggestion.settings.RAG_EMBEDDING_MODEL}
            className="flex flex-wrap items-center gap-x-3 gap-y-1"
          >
            <span className="min-w-0 flex-1 basis-40">
              <bdi className="font-medium wrap-anywhere">{suggestion.model}</bdi>{' '}
              <bdi className="text-small text-muted">{suggestion.connection}</bdi>{' '}
              {!suggestion.is_local && (
                <Badge tone="warning">
                  {t(isAtGateway() ? 'models.leavesThisComputer' : 'models.leavesGateway')}
                </Badge>
              )}
            </span>
            <Button
              busy={saving.busy}
              aria-label={t('retrieval.engine.useNamed', { model: suggestion.model })}
              onClick={() => void saving.run(suggestion)}
            >
              {t('retrieval.engine.useThis')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
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
  const suggestions = useSuggestions().filter(
    ({ settings: wanted }) =>
      wanted.RAG_EMBEDDING_ENGINE !== current?.value || wanted.RAG_EMBEDDING_MODEL !== model?.value,
  )
  return (
    <PageSection
      title={t('retrieval.engine.title')}
      text={t('retrieval.engine.text')}
      action={
        current && (
          <Badge tone={current.origin === 'stored' ? 'accent' : 'neutral'}>
            {t(`settingPages.gateway.origin.${current.origin}`)}
          </Badge>
        )
      }
    >
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} onSave={onSave} />}
      <EngineForm
        key={JSON.stringify([current?.value, model?.value])}
        settings={settings}
        isLocked={current?.locked === true}
        onSave={onSave}
      />
    </PageSection>
  )
}
