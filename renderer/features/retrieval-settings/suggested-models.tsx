import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Badge } from '../../ui/marks/badge.tsx'
import { byKey, type SaveSettings } from '../../ui/settings/settings-store.ts'

/** A model of a connection, and the settings that select it. */
export interface SuggestedModel {
  readonly settings: Readonly<Record<string, string>>
  readonly model: string
  readonly connection: string
  readonly is_local: boolean
}

/** Returns the suggestions that would change something, and that may be used. */
export function findOffered(
  suggestions: readonly SuggestedModel[],
  settings: readonly Setting[],
): SuggestedModel[] {
  const settingsByKey = byKey(settings)
  return suggestions.filter((suggestion) => {
    const wanted = Object.entries(suggestion.settings)
    return (
      wanted.some(([key, value]) => settingsByKey.get(key)?.value !== value) &&
      wanted.every(([key]) => settingsByKey.get(key)?.locked !== true)
    )
  })
}

interface SuggestedModelsProps {
  readonly title: string
  readonly suggestions: readonly SuggestedModel[]
  readonly onSave: SaveSettings
}

/** Offers models, each of which is used after one click; nothing without models. */
export function SuggestedModels({ title, suggestions, onSave }: SuggestedModelsProps) {
  const { t } = useTranslation()
  const saving = useAction((suggestion: SuggestedModel) => onSave(suggestion.settings))
  if (suggestions.length === 0) return null
  return (
    <div className="mb-4 rounded-large border border-line bg-sunken px-4 py-3">
      <p className="mb-2 flex items-center gap-2 font-medium">
        <Sparkles className="size-4 text-accent" />
        {title}
      </p>
      <FormProblem text={saving.problem} />
      <ul className="flex flex-col gap-1">
        {suggestions.map((suggestion) => (
          <li
            key={JSON.stringify(suggestion.settings)}
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
