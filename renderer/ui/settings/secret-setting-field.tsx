import '../../lib/strings/setting-pages.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { SecretField } from '../fields/text-field.tsx'
import type { SettingsDraft } from './settings-draft.ts'

interface SecretSettingFieldProps {
  readonly name: string
  readonly settings: ReadonlyMap<string, Setting>
  readonly draft: SettingsDraft
  readonly label: string
  readonly hint?: ReactNode
  /** Hint while a stored secret is about to be removed. */
  readonly removedHint: string
  readonly removeLabel: string
  readonly onChange: (part: SettingsDraft) => void
}

/** Input for a secret: a stored one is never shown, but can be replaced or removed. */
export function SecretSettingField({
  name,
  settings,
  draft,
  label,
  hint,
  removedHint,
  removeLabel,
  onChange,
}: SecretSettingFieldProps) {
  const { t } = useTranslation()
  const setting = settings.get(name)
  const isKept = setting?.is_set === true && draft[name] === undefined
  const isRemoved = setting?.is_set === true && draft[name] === ''
  return (
    <div className="flex min-w-0 flex-col items-start gap-1 [&>div]:w-full">
      <SecretField
        label={label}
        hint={isRemoved ? removedHint : hint}
        placeholder={isKept ? t('settingPages.gateway.secretSet') : undefined}
        disabled={setting?.locked === true}
        spellCheck={false}
        autoComplete="off"
        value={draft[name] ?? ''}
        onChange={(text) => onChange({ [name]: text || undefined })}
      />
      {isKept && !setting.locked && (
        <button
          type="button"
          className="min-h-6 rounded-small text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
          onClick={() => onChange({ [name]: '' })}
        >
          {removeLabel}
        </button>
      )}
    </div>
  )
}
