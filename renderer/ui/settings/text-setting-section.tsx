import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../controls/button.tsx'
import { FormProblem } from '../dialogs/form-problem.tsx'
import { TextArea } from '../fields/text-field.tsx'
import { PageSection } from '../layout/page-section.tsx'
import { OriginBadge } from './origin-badge.tsx'
import type { SaveSettings } from './settings-store.ts'

interface TextSettingSectionProps {
  readonly setting: Setting
  readonly title: string
  readonly text: string
  readonly label: string
  readonly resetLabel: string
  readonly className?: string
  /** Shows the effect of the typed text. */
  readonly preview?: (text: string) => ReactNode
  readonly onSave: SaveSettings
}

/** Section of a page for one long text, which can be saved and reset to the default. */
export function TextSettingSection({
  setting,
  title,
  text: about,
  label,
  resetLabel,
  className,
  preview,
  onSave,
}: TextSettingSectionProps) {
  const { t } = useTranslation()
  const stored = typeof setting.value === 'string' ? setting.value : ''
  const [text, setText] = useState(stored)
  const saving = useAction((value: string | null) => onSave({ [setting.key]: value }))
  return (
    <PageSection title={title} text={about} action={<OriginBadge setting={setting} />}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void saving.run(text)
        }}
      >
        <FormProblem text={saving.problem} />
        <TextArea
          label={label}
          rows={12}
          className={className}
          disabled={setting.locked}
          value={text}
          onChange={setText}
        />
        {preview?.(text)}
        <div className="flex flex-wrap gap-2">
          <Button
            tone="primary"
            type="submit"
            busy={saving.busy}
            disabled={setting.locked || text === stored}
          >
            {t('common.save')}
          </Button>
          {setting.origin === 'stored' && !setting.locked && (
            <Button onClick={() => void saving.run(null)}>{resetLabel}</Button>
          )}
        </div>
      </form>
    </PageSection>
  )
}
