import { useTranslation } from 'react-i18next'
import type { SharedAddress, SharingStatus } from '#contract/sharing.ts'
import { useAction } from '../../api/use-action.ts'
import { desktop } from '../../lib/desktop.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { QrCode } from './qr-code.tsx'
import { selectUrls, turnOff, turnOn, type SharingStore } from './sharing-store.ts'

const HOURS = [1, 4, 8, 24, 72] as const

/** URL to open on the other device. */
function OpenIt({ status }: { status: SharingStatus }) {
  const { t } = useTranslation()
  const urls = selectUrls(status)
  const [first] = urls
  if (first === undefined) return null
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      <QrCode text={first} label={t('sharing.qrOf', { address: first })} />
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="font-medium">{t('sharing.openIt')}</h2>
        <p className="mt-0.5 text-small text-pretty text-muted">{t('sharing.scan')}</p>
        <ul className="mt-2 flex flex-col gap-1">
          {urls.map((url) => (
            <li key={url}>
              <code className="text-code wrap-anywhere select-all" dir="ltr">
                {url}
              </code>
            </li>
          ))}
        </ul>
        {status.ends_at !== null && (
          <p className="mt-2 text-small text-muted">
            {t('sharing.endsAt', { moment: formatMoment(status.ends_at) })}
          </p>
        )}
      </div>
    </div>
  )
}

export function Fingerprint({ title, text, hint }: { title: string; text: string; hint?: string }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      {hint && <p className="mt-0.5 text-small text-pretty text-muted">{hint}</p>}
      <code className="mt-1 block text-code break-all select-all" dir="ltr">
        {text}
      </code>
    </div>
  )
}

interface AddressChoiceProps {
  readonly addresses: readonly SharedAddress[]
  readonly disabled: boolean
  readonly onChange: (chosen: string[]) => void
}

function AddressChoice({ addresses, disabled, onChange }: AddressChoiceProps) {
  const { t } = useTranslation()
  const chosen = addresses.filter((each) => each.chosen).map(({ address }) => address)
  const toggle = (address: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, address] : chosen.filter((each) => each !== address))
  return (
    <fieldset>
      <legend className="font-medium">{t('sharing.addresses')}</legend>
      <p className="mt-0.5 text-small text-muted">{t('sharing.addressesHint')}</p>
      {addresses.length === 0 && <p className="mt-1">{t('sharing.noAddresses')}</p>}
      {addresses.map(({ address, interface: name, chosen: isChosen, fault }) => (
        <label key={address} className="mt-1 flex items-center gap-2">
          <Checkbox
            checked={isChosen}
            // The last address can only be disabled by switching off sharing.
            disabled={disabled || (isChosen && chosen.length === 1)}
            onChange={(checked) => toggle(address, checked)}
          />
          <bdi dir="ltr">{address}</bdi>
          <span className="min-w-0 text-small wrap-anywhere text-muted">{fault ?? name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/**
 * Loopback cannot be reached by other devices, so it is only offered if a test or tunnel selected
 * it.
 */
const isOffered = ({ address, chosen }: SharedAddress): boolean =>
  chosen || !/^(127\.|::1$)/.test(address)

/** The sharing switch, with its settings. */
export function SwitchSection({ store, status }: { store: SharingStore; status: SharingStatus }) {
  const { t } = useTranslation()
  const change = useAction((input: Parameters<typeof turnOn>[1] | null) =>
    input === null ? turnOff(store) : turnOn(store, input),
  )
  const { certificate } = status
  return (
    <PageSection text={t('sharing.text')}>
      <div className="flex flex-col gap-5 rounded-large border border-line bg-raised p-4 sm:p-5">
        <Switch
          label={t('sharing.switch')}
          hint={t('sharing.switchHint')}
          checked={status.on}
          disabled={change.busy}
          onChange={(on) => void change.run(on ? {} : null)}
        />
        <FormProblem text={change.problem ?? status.fault} />
        {status.on && (
          <>
            <OpenIt status={status} />
            {desktop && (
              <p className="text-small text-muted">
                {t('sharing.passwordHint')} <PageLink page="account" />
              </p>
            )}
            {certificate && (
              <Fingerprint
                title={t('sharing.fingerprint')}
                hint={t('sharing.fingerprintHint')}
                text={certificate.fingerprint}
              />
            )}
            <AddressChoice
              addresses={status.addresses.filter(isOffered)}
              disabled={change.busy}
              onChange={(addresses) => void change.run({ addresses })}
            />
            <Select
              label={t('sharing.endsAfter')}
              value=""
              disabled={change.busy}
              onChange={({ target: { value } }) =>
                void change.run({ hours: value === 'never' ? null : Number(value) })
              }
              options={[
                ...(status.ends_at === null
                  ? [{ value: '', label: t('sharing.never') }]
                  : [
                      { value: '', label: formatMoment(status.ends_at) },
                      { value: 'never', label: t('sharing.never') },
                    ]),
                ...HOURS.map((count) => ({
                  value: String(count),
                  label: t('sharing.hours', { count }),
                })),
              ]}
            />
          </>
        )}
      </div>
    </PageSection>
  )
}
