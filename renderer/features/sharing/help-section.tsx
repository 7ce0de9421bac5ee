import { useTranslation } from 'react-i18next'
import type { SharingStatus } from '#contract/sharing.ts'
import { toSharedUrls } from '../../lib/shared-urls.ts'
import { endpoints } from '../../api/client.ts'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { Fingerprint } from './switch-section.tsx'

const IOS = [
  'sharing.iosSteps.warning',
  'sharing.iosSteps.download',
  'sharing.iosSteps.install',
  'sharing.iosSteps.trust',
  'sharing.iosSteps.add',
] as const
const ANDROID = [
  'sharing.androidSteps.warning',
  'sharing.androidSteps.download',
  'sharing.androidSteps.install',
  'sharing.androidSteps.notice',
  'sharing.androidSteps.add',
] as const
const COMPUTERS = ['sharing.computerSteps.warning', 'sharing.computerSteps.trust'] as const
type Step = (typeof IOS | typeof ANDROID | typeof COMPUTERS)[number]

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="mb-3 flex list-decimal flex-col gap-1.5 ps-6 text-pretty">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

/** Explains the certificate warning on other devices, and how to make them trust this computer. */
export function HelpSection({ status }: { status: SharingStatus }) {
  const { t } = useTranslation()
  const [url] = toSharedUrls(status)
  const { certificate, port, system } = status
  const toSteps = (keys: readonly Step[]): string[] => keys.map((key) => t(key))
  return (
    <PageSection title={t('sharing.help')} text={t('sharing.helpText')}>
      {certificate?.authority_fingerprint && url !== undefined && (
        <>
          <FoldOut title={t('sharing.ios')}>
            <Steps steps={toSteps(IOS)} />
          </FoldOut>
          <FoldOut title={t('sharing.android')}>
            <Steps steps={toSteps(ANDROID)} />
          </FoldOut>
          <FoldOut title={t('sharing.computers')}>
            <Steps steps={toSteps(COMPUTERS)} />
          </FoldOut>
          <div className="mt-2 mb-3 flex flex-col gap-3 rounded-large border border-line bg-raised p-4">
            <p>
              <a href={endpoints.sharing.authority.path} download className="text-accent underline">
                {t('sharing.download')}
              </a>
              <code className="mt-1 block text-code wrap-anywhere select-all" dir="ltr" data-exempt>
                {url + endpoints.sharing.authority.path}
              </code>
            </p>
            <Fingerprint
              title={t('sharing.authorityFingerprint')}
              text={certificate.authority_fingerprint}
            />
          </div>
        </>
      )}
      <FoldOut title={t('sharing.firewall')}>
        <p className="mb-2 text-pretty">{t('sharing.sameNetwork')}</p>
        <p className="text-pretty">{t(`sharing.firewallOf.${system}`, { port })}</p>
      </FoldOut>
    </PageSection>
  )
}
