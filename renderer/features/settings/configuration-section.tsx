import '../../lib/strings/setting-pages.ts'
import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { downloadText } from '../../lib/download.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { previewConfiguration, type ConfigurationPreview } from './group-settings.ts'
import { formatNames } from '../../lib/format-list.ts'

type Configuration = Readonly<Record<string, unknown>>

async function exportConfiguration(): Promise<void> {
  const config = await call(endpoints.configs.export, {})
  downloadText('chat-gateway-settings.json', JSON.stringify(config, null, 2), 'application/json')
}

/** Parses an exported configuration file. */
async function readConfiguration(file: File, complaint: string): Promise<Configuration> {
  try {
    const read: unknown = JSON.parse(await file.text())
    if (typeof read === 'object' && read !== null && !Array.isArray(read))
      return read as Configuration
  } catch {
    // The error below states the remedy, regardless of the kind of error in the file.
  }
  throw new Error(complaint)
}

function Preview({ preview }: { preview: ConfigurationPreview }) {
  const { t } = useTranslation()
  const { changes, locked, unknown } = preview
  return (
    <div className="flex flex-col gap-3">
      {changes.length === 0 && <p>{t('settingPages.configuration.nothing')}</p>}
      {changes.length > 0 && (
        <ul className="divide-y divide-line rounded-medium border border-line">
          {changes.map(({ key, from, to }) => (
            <li key={key} className="px-3 py-2">
              <code className="text-code font-medium wrap-anywhere">{key}</code>
              <p className="line-clamp-3 text-small wrap-anywhere text-muted">
                <del>{from || t('settingPages.configuration.empty')}</del>
              </p>
              <p className="line-clamp-3 text-small wrap-anywhere">
                <ins className="no-underline">{to || t('settingPages.configuration.empty')}</ins>
              </p>
            </li>
          ))}
        </ul>
      )}
      {locked.length > 0 && (
        <p className="text-small text-muted">
          {t('settingPages.configuration.locked', { names: formatNames(locked) })}
        </p>
      )}
      {unknown.length > 0 && (
        <p className="text-small text-muted">
          {t('settingPages.configuration.unknown', { names: formatNames(unknown) })}
        </p>
      )}
    </div>
  )
}

interface ImportDialogProps {
  readonly settings: readonly Setting[]
  readonly config: Configuration
  readonly onClose: () => void
  readonly onImported: () => Promise<void>
}

function ImportDialog({ settings, config, onClose, onImported }: ImportDialogProps) {
  const { t } = useTranslation()
  const preview = previewConfiguration(settings, config)
  const { busy, problem, run } = useAction(async () => {
    await call(endpoints.configs.import, { body: { config } })
    await onImported()
    toast({ text: t('settingPages.configuration.imported') })
  }, onClose)
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t('settingPages.configuration.previewTitle')}
      description={t('settingPages.configuration.previewText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            busy={busy}
            disabled={preview.changes.length === 0}
            onClick={() => void run()}
          >
            {t('settingPages.configuration.apply', { count: preview.changes.length })}
          </Button>
        </>
      }
    >
      <FormProblem text={problem} />
      <Preview preview={preview} />
    </Dialog>
  )
}

interface ConfigurationSectionProps {
  readonly settings: readonly Setting[]
  readonly onImported: () => Promise<void>
}

/** Exports the changed settings for another gateway, and imports them. */
export function ConfigurationSection({ settings, onImported }: ConfigurationSectionProps) {
  const { t } = useTranslation()
  const [config, setConfig] = useState<Configuration | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const exporting = useAction(exportConfiguration)
  const reading = useAction(async (file: File) =>
    setConfig(await readConfiguration(file, t('settingPages.configuration.noFile'))),
  )
  return (
    <PageSection
      title={t('settingPages.configuration.title')}
      text={t('settingPages.configuration.text')}
    >
      <FormProblem text={exporting.problem ?? reading.problem} />
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Download className="size-4" />}
          busy={exporting.busy}
          onClick={() => void exporting.run()}
        >
          {t('settingPages.configuration.export')}
        </Button>
        <Button
          icon={<Upload className="size-4" />}
          busy={reading.busy}
          onClick={() => input.current?.click()}
        >
          {t('settingPages.configuration.import')}
        </Button>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={t('settingPages.configuration.import')}
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void reading.run(file)
          }}
        />
      </div>
      {config && (
        <ImportDialog
          settings={settings}
          config={config}
          onClose={() => setConfig(null)}
          onImported={onImported}
        />
      )}
    </PageSection>
  )
}
