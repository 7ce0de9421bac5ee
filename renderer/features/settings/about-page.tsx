import { FolderOpen, ShieldAlert } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestOutput } from '#desktop'
import type { GatewayConfig } from '#contract/system.ts'
import { toSentence } from '../../api/api-error.ts'
import { desktop } from '../../lib/desktop.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { ShortcutList } from '../../ui/dialogs/shortcut-list.tsx'
import { gatewayAddress } from '../../lib/base-path.ts'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 px-4 py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere" dir="auto">
        {children}
      </dd>
    </div>
  )
}

type AppInfo = RequestOutput<'app.info'>

function DesktopFacts({ info }: { info: AppInfo }) {
  const { t } = useTranslation()
  return (
    <>
      <Fact name={t('settings.about.system')}>
        {info.platform} · Electron {info.electronVersion}
      </Fact>
      <Fact name={t('settings.about.dataFolder')}>{info.dataFolder}</Fact>
      <Fact name={t('settings.about.secrets')}>
        {info.secrets.kind === 'keychain'
          ? t('settings.about.keychain')
          : t('settings.about.keyFile')}
      </Fact>
    </>
  )
}

/** Versions, licence, location of the data, protection of secrets, and shortcuts. */
export function AboutPage({ config }: { config: GatewayConfig | null }) {
  const { t } = useTranslation()
  const [info, setInfo] = useState<AppInfo | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    desktop
      ?.request('app.info', {})
      .then(setInfo, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [])
  return (
    <>
      <PageSection
        title={config?.name ?? t('common.productName')}
        text={t('settings.about.text')}
        action={
          desktop && (
            <Button
              icon={<FolderOpen className="size-4" />}
              onClick={() => void desktop?.request('data.openFolder', {})}
            >
              {t('settings.about.openFolder')}
            </Button>
          )
        }
      >
        <FormProblem text={problem} />
        {info?.secrets.warning && (
          <p className="mb-3 flex items-start gap-2 rounded-large bg-warning-soft px-4 py-3">
            <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warning" />
            {info.secrets.warning}
          </p>
        )}
        <dl className="divide-y divide-line rounded-large border border-line bg-raised">
          <Fact name={t('settings.about.version')}>{config?.product_version}</Fact>
          <Fact name={t('settings.about.apiVersion')}>{config?.version}</Fact>
          <Fact name={t('settings.about.address')}>{gatewayAddress()}</Fact>
          {info && <DesktopFacts info={info} />}
          <Fact name={t('settings.about.licence')}>{t('settings.about.licenceText')}</Fact>
          <Fact name={t('settings.about.telemetry')}>{t('settings.about.telemetryText')}</Fact>
        </dl>
        <div className="mt-3">
          <CopyButton text={gatewayAddress()} label={t('settings.about.copyAddress')} />
        </div>
      </PageSection>
      <PageSection title={t('commands.shortcuts')} text={t('shortcuts.hint')}>
        <ShortcutList />
      </PageSection>
    </>
  )
}
