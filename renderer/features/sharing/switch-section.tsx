import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedAddress, SharingStatus } from '#contract/sharing.ts'
import { toSharedUrls } from '../../lib/shared-urls.ts'
import { useAction } from '../../api/use-action.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { OpenSteps } from './open-steps.tsx'
import { turnOff, turnOn, type SharingStore } from './sharing-store.ts'

const HOURS = [1, 4, 8, 24, 72] as const

/** Fingerprint of a certificate, whose lines never end inside a pair. */
export function Fingerprint({ title, text, hint }: { title: string; text: string; hint?: string }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      {hint && <p className="mt-0.5 text-small text-pretty text-muted">{hint}</p>}
      <code className="mt-1 block text-code select-all" dir="ltr">
        {text.split(':').map((pair, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- pairs repeat, and never move
          <Fragment key={index}>
            {index > 0 && (
              <>
                :<wbr />
              </>
            )}
            {pair}
          </Fragment>
        ))}
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

/** Further URLs of the gateway in the network. */
function OtherUrls({ urls }: { urls: readonly string[] }) {
  const { t } = useTranslation()
  if (urls.length === 0) return null
  return (
    <div>
      <p className="font-medium">{t('sharing.otherUrls')}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {urls.map((url) => (
          <li key={url}>
            <code className="text-code wrap-anywhere select-all" dir="ltr">
              {url}
            </code>
          </li>
        ))}
      </ul>
    </div>
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
            <OpenSteps status={status} />
            <FoldOut title={t('sharing.details')}>
              <div className="mt-3 flex flex-col gap-5">
                {certificate && (
                  <Fingerprint
                    title={t('sharing.fingerprint')}
                    hint={t('sharing.fingerprintHint')}
                    text={certificate.fingerprint}
                  />
                )}
                <OtherUrls urls={toSharedUrls(status).slice(1)} />
                <AddressChoice
                  addresses={status.addresses.filter(isOffered)}
                  disabled={change.busy}
                  onChange={(addresses) => void change.run({ addresses })}
                />
                <Select
                  label={t('sharing.endsAfter')}
                  value=""
                  disabled={change.busy}
                  onChange={(value) =>
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
              </div>
            </FoldOut>
          </>
        )}
      </div>
    </PageSection>
  )
}
