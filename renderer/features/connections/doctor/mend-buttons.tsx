import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DoctorMend } from '#contract/doctor.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { SaveButton } from '../../../ui/controls/save-button.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { formatMoment } from '../../../lib/format-time.ts'
import { SecretField } from '../../../ui/fields/text-field.tsx'
import type { MendChange } from './mend-change.ts'

type ButtonMend = Exclude<DoctorMend, { kind: 'key' }>

function toChange(mend: ButtonMend): MendChange {
  switch (mend.kind) {
    case 'address':
      return { url: mend.url }
    case 'type':
      return { kind: mend.type, url: mend.url }
    case 'models':
      return { model_ids: mend.model_ids }
    case 'switch-on':
      return { enabled: true }
    case 'timeout':
      return { timeout_seconds: mend.seconds }
    case 'online':
      return 'online'
    case 'start':
      return { start: mend.program }
    case 'straight':
      return { use_proxy: false }
    case 'trust':
      return { trusted_certificate: mend.fingerprint }
  }
}

function toLabel(mend: ButtonMend, t: TFunction): string {
  switch (mend.kind) {
    case 'address':
      return t('doctor.mends.address', { url: mend.url })
    case 'type':
      return t('doctor.mends.type', { url: mend.url, type: t(`doctor.types.${mend.type}`) })
    case 'models':
      return t(mend.model_ids.length === 0 ? 'doctor.mends.allModels' : 'doctor.mends.models')
    case 'start':
      return t('doctor.mends.start', { name: mend.name })
    case 'timeout':
      return t('doctor.mends.timeout', { count: mend.seconds })
    default:
      return t(`doctor.mends.${mend.kind}`)
  }
}

function KeyForm({ onMend }: { onMend: (change: MendChange) => Promise<void> }) {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  const saving = useAction(() => onMend({ key }))
  return (
    <form onSubmit={saving.handleSubmit} className="flex max-w-md flex-col gap-2">
      <FormProblem text={saving.problem} />
      <SecretField label={t('doctor.newKey')} value={key} autoComplete="off" onChange={setKey} />
      <SaveButton busy={saving.busy} disabled={!key.trim()}>
        {t('doctor.saveKey')}
      </SaveButton>
    </form>
  )
}

type TrustMend = Extract<DoctorMend, { kind: 'trust' }>

/** Details to compare before trusting a certificate that no authority signed. */
function CertificateFacts({ mend }: { mend: TrustMend }) {
  const { t } = useTranslation()
  const facts = [
    [t('doctor.certificate.subject'), mend.subject],
    [t('doctor.certificate.issuer'), mend.issuer],
    [t('doctor.certificate.until'), formatMoment(mend.valid_to / 1000)],
  ] as const
  return (
    <dl className="flex flex-col gap-1 text-small">
      {facts.map(([label, value]) => (
        <div key={label} className="flex flex-wrap gap-x-2">
          <dt className="text-muted">{label}</dt>
          <dd className="wrap-anywhere">
            <bdi>{value === '' ? t('doctor.certificate.unnamed') : value}</bdi>
          </dd>
        </div>
      ))}
      <div>
        <dt className="text-muted">{t('doctor.certificate.fingerprint')}</dt>
        <dd dir="ltr" className="font-mono wrap-anywhere">
          {mend.fingerprint}
        </dd>
      </div>
    </dl>
  )
}

/** Says that the address is set by a variable. */
export function FixedElsewhere({ variable }: { variable: string | null }) {
  const { t } = useTranslation()
  return (
    <p className="text-small text-muted">
      {t('doctor.fixedElsewhere')} <code translate="no">{variable}</code>
    </p>
  )
}

/** True if a fix changes the address. */
export const isMendOfAddress = ({ kind }: DoctorMend): boolean =>
  kind === 'address' || kind === 'type'

interface MendButtonsProps {
  readonly mends: readonly DoctorMend[]
  /** Variable that sets the address, which cannot be changed here then. */
  readonly fixedBy: string | null
  readonly onMend: (change: MendChange) => Promise<void>
}

/** One-click fixes for a finding. */
export function MendButtons({ mends, fixedBy, onMend }: MendButtonsProps) {
  const { t } = useTranslation()
  const mending = useAction(onMend)
  const offered = mends.filter((mend) => fixedBy === null || !isMendOfAddress(mend))
  const buttons = offered.filter((mend): mend is ButtonMend => mend.kind !== 'key')
  return (
    <div className="flex flex-col gap-2">
      <FormProblem text={mending.problem} />
      {offered.length < mends.length && <FixedElsewhere variable={fixedBy} />}
      {buttons.map(
        (mend) => mend.kind === 'trust' && <CertificateFacts key={mend.fingerprint} mend={mend} />,
      )}
      {buttons.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {buttons.map((mend, index) => (
            <Button
              key={toLabel(mend, t)}
              tone={index === 0 ? 'primary' : 'secondary'}
              busy={mending.busy}
              className="h-auto min-h-control max-w-full py-1 whitespace-normal wrap-anywhere"
              onClick={() => void mending.run(toChange(mend))}
            >
              {toLabel(mend, t)}
            </Button>
          ))}
        </div>
      )}
      {buttons.length < offered.length && <KeyForm onMend={onMend} />}
    </div>
  )
}
