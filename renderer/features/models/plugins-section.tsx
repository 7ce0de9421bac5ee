import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { LoadingRows } from '../../ui/lists/loading-rows.tsx'
import type { ModelDraft } from './model-draft.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import {
  idsOf,
  loadPluginChoices,
  PLUGIN_LISTS,
  type PluginChoice,
  type PluginList,
  withMissing,
} from './plugin-choices.ts'

interface ListProps {
  readonly list: PluginList
  readonly choices: readonly PluginChoice[]
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

function List({ list, choices, ids, onChange }: ListProps) {
  const { t } = useTranslation()
  if (choices.length === 0) return null
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t(`models.plugins.${list}`)}</legend>
      <p className="mb-2 text-small text-pretty text-muted">{t(`models.plugins.${list}Text`)}</p>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-medium border border-line">
        {choices.map(({ id, name, detail, isEverywhere, isOff }) => (
          <li key={id}>
            <label className="flex items-start gap-2.5 px-3 py-2 hover:bg-hover has-disabled:hover:bg-transparent">
              <Checkbox
                checked={isEverywhere || ids.includes(id)}
                disabled={isEverywhere}
                className="-my-0.5 -ms-1"
                onChange={(isChosen) =>
                  onChange(isChosen ? [...ids, id] : ids.filter((each) => each !== id))
                }
              />
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                  <bdi className="min-w-0 truncate">{name}</bdi>
                  {isEverywhere && <Badge tone="accent">{t('models.plugins.everywhere')}</Badge>}
                  {isOff && <Badge>{t('models.plugins.off')}</Badge>}
                </span>
                {detail && (
                  <span className="line-clamp-2 text-small text-muted">
                    <bdi>{detail}</bdi>
                  </span>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

interface PluginsSectionProps {
  readonly draft: ModelDraft
  readonly onChange: (part: Partial<ModelDraft>) => void
}

/**
 * Tools enabled by default in a model's new chats, and the filters and actions used for its
 * answers.
 */
export function PluginsSection({ draft, onChange }: PluginsSectionProps) {
  const { t } = useTranslation()
  const {
    value: choices,
    problem,
    reload,
  } = useLoaded(
    () =>
      loadPluginChoices({
        web_search: t('models.plugins.webSearch'),
        image_generation: t('models.plugins.pictures'),
      }),
    [t],
  )
  return (
    <PageSection title={t('models.plugins.title')} text={t('models.plugins.text')}>
      {problem && (
        <EmptyState
          title={t('models.plugins.failed')}
          action={<Button onClick={reload}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {!choices && !problem && <LoadingRows />}
      {choices && (
        <div className="flex flex-col gap-6">
          {PLUGIN_LISTS.map((list) => {
            const ids = idsOf(draft.otherMeta[list])
            return (
              <List
                key={list}
                list={list}
                choices={withMissing(choices[list], ids, t('models.plugins.gone'))}
                ids={ids}
                onChange={(next) => onChange({ otherMeta: { ...draft.otherMeta, [list]: next } })}
              />
            )
          })}
        </div>
      )}
    </PageSection>
  )
}
