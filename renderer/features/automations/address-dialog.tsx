import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Automation } from '#contract/automations.ts'
import { useAction } from '../../api/use-action.ts'
import { formatAge } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { makeAddress, removeAddress, type AutomationsStore } from './automations-store.ts'
import { nameOf } from './name-of.ts'

const NANOSECONDS = 1e9

/** The secret URL that lets clients run an automation. */
export function AddressDialog({
  store,
  automation,
  onClose,
}: {
  store: AutomationsStore
  automation: Automation
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [address, setAddress] = useState<string | null>(null)
  const make = useAction(async () => setAddress(await makeAddress(store, automation)))
  const remove = useAction(() => removeAddress(store, automation), onClose)
  const { webhook } = automation
  const usedAt = webhook?.last_used_at
  return (
    <Dialog
      onClose={onClose}
      title={t('automations.addressTitle', { name: nameOf(automation) })}
      actions={
        <>
          {webhook && (
            <Button disabled={remove.busy} onClick={() => void remove.run()}>
              {t('automations.removeAddress')}
            </Button>
          )}
          <Button tone="primary" busy={make.busy} onClick={() => void make.run()}>
            {webhook ? t('automations.replaceAddress') : t('automations.makeAddress')}
          </Button>
        </>
      }
    >
      <p className="text-pretty text-muted">{t('automations.addressText')}</p>
      <FormProblem text={make.problem ?? remove.problem} />
      {address && (
        <p className="mt-3 flex items-start gap-2 rounded-medium bg-sunken p-3">
          <code dir="ltr" data-exempt="" className="min-w-0 flex-1 text-code break-all">
            {address}
          </code>
          <CopyButton isSmall text={address} />
        </p>
      )}
      {!address && webhook && (
        <p className="mt-3">
          {usedAt
            ? t('automations.addressUsed', { age: formatAge(usedAt / NANOSECONDS) })
            : t('automations.addressUnused')}
        </p>
      )}
    </Dialog>
  )
}
