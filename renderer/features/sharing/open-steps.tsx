import { Share } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SharingStatus } from '#contract/sharing.ts'
import { desktop } from '../../lib/desktop.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { toSharedUrls } from '../../lib/shared-urls.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { QrCode } from './qr-code.tsx'

/** Hands the address to the system's share sheet; closing the sheet is not a failure. */
const share = (url: string): void => void navigator.share({ url }).catch(() => undefined)

function Address({ url }: { url: string }) {
  const { t } = useTranslation()
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <code
        dir="ltr"
        className="rounded-medium bg-sunken px-3 py-2 text-code wrap-anywhere select-all"
      >
        {url}
      </code>
      <CopyButton text={url} label={t('sharing.copyAddress')} />
      {'share' in navigator && (
        <Button icon={<Share className="size-4" />} onClick={() => share(url)}>
          {t('sharing.sendAddress')}
        </Button>
      )}
    </div>
  )
}

/** The code to scan; behind a line of text on a device that cannot scan its own screen. */
function Code({ url }: { url: string }) {
  const { t } = useTranslation()
  const code = <QrCode text={url} label={t('sharing.qrOf', { address: url })} />
  if (matchMedia('(pointer: coarse)').matches)
    return (
      <FoldOut title={t('sharing.showCode')}>
        <div className="mt-1">{code}</div>
      </FoldOut>
    )
  return code
}

const SYSTEMS = ['ios', 'android', 'computers'] as const

const NUMBER =
  'grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-small font-semibold text-accent-strong dark:text-accent'

/** What to do on the other device, in three steps. */
export function OpenSteps({ status }: { status: SharingStatus }) {
  const { t } = useTranslation()
  const [url] = toSharedUrls(status)
  if (url === undefined) return null
  return (
    <ol aria-label={t('sharing.openIt')} className="flex flex-col gap-6">
      <li className="flex gap-3">
        <span aria-hidden="true" className={NUMBER}>
          1
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-56">
            <h2 className="font-medium">{t('sharing.openIt')}</h2>
            <p className="mt-0.5 text-small text-pretty text-muted">{t('sharing.scan')}</p>
            <Address url={url} />
            {status.ends_at !== null && (
              <p className="mt-2 text-small text-muted">
                {t('sharing.endsAt', { moment: formatMoment(status.ends_at) })}
              </p>
            )}
          </div>
          <Code url={url} />
        </div>
      </li>
      <li className="flex gap-3">
        <span aria-hidden="true" className={NUMBER}>
          2
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">{t('sharing.warnsOnce')}</h2>
          <ul className="mt-0.5 flex flex-col gap-1 text-small text-pretty text-muted">
            {SYSTEMS.map((system) => (
              <li key={system}>{t(`sharing.warnsOn.${system}`)}</li>
            ))}
          </ul>
        </div>
      </li>
      <li className="flex gap-3">
        <span aria-hidden="true" className={NUMBER}>
          3
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">{t('sharing.signIn')}</h2>
          <p className="mt-0.5 text-small text-pretty text-muted">
            {t('sharing.signInHint')}
            {desktop && (
              <>
                {' '}
                {t('sharing.passwordHint')} <PageLink page="account" />
              </>
            )}
          </p>
        </div>
      </li>
    </ol>
  )
}
