import '../../lib/strings/setting-pages.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { fillTemplate } from './fill-template.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'

interface TemplateSectionProps {
  readonly setting: Setting
  readonly onSave: SaveSettings
}

/** Instructions that models receive with the sources. */
export function TemplateSection({ setting, onSave }: TemplateSectionProps) {
  const { t } = useTranslation()
  const stored = typeof setting.value === 'string' ? setting.value : ''
  const [text, setText] = useState(stored)
  const saving = useAction(async (value: string | null) => {
    await onSave({ [setting.key]: value })
    toast({ text: t('common.saved') })
  })
  const sample = {
    context: t('retrieval.template.sampleContext'),
    query: t('retrieval.template.sampleQuery'),
  }
  return (
    <PageSection
      title={t('retrieval.template.title')}
      text={t('retrieval.template.text', { sources: '{{CONTEXT}}', question: '{{QUERY}}' })}
      action={
        <Badge tone={setting.origin === 'stored' ? 'accent' : 'neutral'}>
          {t(`settingPages.gateway.origin.${setting.origin}`)}
        </Badge>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void saving.run(text)
        }}
        className="flex flex-col gap-3"
      >
        <FormProblem text={saving.problem} />
        <TextArea
          label={t('retrieval.template.label')}
          rows={12}
          dir="auto"
          disabled={setting.locked}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FoldOut title={t('retrieval.template.preview')}>
          <section
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard
            tabIndex={0}
            aria-label={t('retrieval.template.preview')}
            dir="auto"
            className="max-h-96 overflow-auto rounded-medium border border-line bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere"
          >
            {fillTemplate(text, sample)}
          </section>
        </FoldOut>
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
            <Button onClick={() => void saving.run(null)}>{t('retrieval.template.reset')}</Button>
          )}
        </div>
      </form>
    </PageSection>
  )
}
