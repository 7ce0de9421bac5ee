import '../../lib/strings/setting-pages.ts'
import { useTranslation } from 'react-i18next'
import type { ApiKeyLimits } from '#contract/auths.ts'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { LIFETIMES, type KeyLimitsDraft } from './key-limits-draft.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { formatNames } from '../../lib/format-list.ts'

interface KeyLimitsFieldsProps {
  readonly draft: KeyLimitsDraft
  readonly onChange: (draft: KeyLimitsDraft) => void
}

/** Fields for the limits of a new key; an empty field means no limit. */
export function KeyLimitsFields({ draft, onChange }: KeyLimitsFieldsProps) {
  const { t } = useTranslation()
  const change = (part: Partial<KeyLimitsDraft>): void => onChange({ ...draft, ...part })
  const field = fieldsOf(draft, change)
  return (
    <FoldOut title={t('settingPages.keys.limits.title')}>
      <div className="mt-2 grid gap-4 rounded-large border border-line p-4 sm:grid-cols-2">
        <Select
          label={t('settingPages.keys.limits.lifetime')}
          value={draft.lifetime}
          onChange={(value) => change({ lifetime: value as KeyLimitsDraft['lifetime'] })}
          options={LIFETIMES.map((each) => ({
            value: each,
            label: t(`settingPages.keys.limits.lifetimes.${each}`),
          }))}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t('settingPages.keys.limits.requests')}
            type="number"
            min={1}
            {...field('requests')}
          />
          <TextField
            label={t('settingPages.keys.limits.tokens')}
            type="number"
            min={1}
            {...field('tokens')}
          />
        </div>
        <TextArea
          label={t('settingPages.keys.limits.models')}
          hint={t('settingPages.keys.limits.modelsHint')}
          rows={2}
          spellCheck={false}
          {...field('models')}
        />
        <TextArea
          label={t('settingPages.keys.limits.paths')}
          hint={t('settingPages.keys.limits.pathsHint')}
          rows={2}
          spellCheck={false}
          {...field('paths')}
        />
      </div>
    </FoldOut>
  )
}

/** Returns the limits of a key as text, with today's usage. */
export function useLimitTexts(
  key: ApiKeyLimits & { readonly today: { readonly requests: number; readonly tokens: number } },
): readonly string[] {
  const { t } = useTranslation()
  const format = new Intl.NumberFormat(formatLocale())
  const {
    daily_requests: requests,
    daily_tokens: tokens,
    allowed_models: models,
    allowed_endpoints: paths,
  } = key
  return [
    ...(requests === null
      ? []
      : [
          t('settingPages.keys.limits.requestsOf', {
            used: format.format(key.today.requests),
            most: format.format(requests),
          }),
        ]),
    ...(tokens === null
      ? []
      : [
          t('settingPages.keys.limits.tokensOf', {
            used: format.format(key.today.tokens),
            most: format.format(tokens),
          }),
        ]),
    ...(models === null
      ? []
      : [t('settingPages.keys.limits.onlyModels', { names: formatNames(models) || '–' })]),
    ...(paths === null
      ? []
      : [t('settingPages.keys.limits.onlyPaths', { names: formatNames(paths) || '–' })]),
  ]
}
