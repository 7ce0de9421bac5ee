import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { TextSettingSection } from '../../ui/settings/text-setting-section.tsx'
import { fillTemplate } from './fill-template.ts'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'

interface TemplateSectionProps {
  readonly setting: Setting
  readonly onSave: SaveSettings
}

/** Instructions that models receive with the sources. */
export function TemplateSection({ setting, onSave }: TemplateSectionProps) {
  const { t } = useTranslation()
  const sample = {
    context: t('retrieval.template.sampleContext'),
    query: t('retrieval.template.sampleQuery'),
  }
  return (
    <TextSettingSection
      setting={setting}
      title={t('retrieval.template.title')}
      text={t('retrieval.template.text', { sources: '{{CONTEXT}}', question: '{{QUERY}}' })}
      label={t('retrieval.template.label')}
      resetLabel={t('retrieval.template.reset')}
      preview={(text) => (
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
      )}
      onSave={async (values) => {
        await onSave(values)
        toast({ text: t('common.saved') })
      }}
    />
  )
}
