import '../../lib/strings/setting-pages.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'

/** Instructions for models about running code. */
export function PromptSection({ setting, onSave }: { setting: Setting; onSave: SaveSettings }) {
  const { t } = useTranslation()
  const stored = typeof setting.value === 'string' ? setting.value : ''
  const [text, setText] = useState(stored)
  const saving = useAction((value: string | null) => onSave({ [setting.key]: value }))
  return (
    <PageSection
      title={t('code.settings.prompt')}
      text={t('code.settings.promptText')}
      action={
        <Badge tone={setting.origin === 'stored' ? 'accent' : 'neutral'}>
          {t(`settingPages.gateway.origin.${setting.origin}`)}
        </Badge>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void saving.run(text)
        }}
      >
        <FormProblem text={saving.problem} />
        <TextArea
          label={t('code.settings.promptLabel')}
          rows={12}
          dir="auto"
          className="font-mono text-code"
          disabled={setting.locked}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
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
            <Button onClick={() => void saving.run(null)}>{t('code.settings.promptReset')}</Button>
          )}
        </div>
      </form>
    </PageSection>
  )
}
