import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { MOST_PASS_HOURS, MOST_PASS_MESSAGES } from '#contract/sharing.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { GUEST_HASH } from '../../lib/guest-link.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { QrCode } from './qr-code.tsx'

interface CreatePassDialogProps {
  /** Shared URL that the link opens. */
  readonly url: string
  readonly models: readonly Model[]
  readonly onCreated: () => void
  readonly onClose: () => void
}

function ModelChoice({
  models,
  chosen,
  onChange,
}: {
  models: readonly Model[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const { t } = useTranslation()
  return (
    <fieldset className="max-h-48 overflow-y-auto">
      <legend className="font-medium">{t('sharing.passModels')}</legend>
      {models.length === 0 && <p className="text-muted">{t('sharing.noModels')}</p>}
      {models.map(({ id, name }) => (
        <label key={id} className="mt-1 flex items-center gap-2">
          <Checkbox
            checked={chosen.includes(id)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
          <bdi className="min-w-0 truncate">{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

/** Shows the link of a new pass, the only time it is displayed. */
function NewPass({
  link,
  onClose,
}: {
  link: { name: string; address: string }
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Dialog
      onClose={onClose}
      title={t('sharing.passTitle', { name: link.name })}
      description={t('sharing.passShown')}
      actions={
        <>
          <CopyButton text={link.address} label={t('sharing.copyLink')} />
          <Button tone="primary" onClick={onClose}>
            {t('common.done')}
          </Button>
        </>
      }
    >
      <div className="flex justify-center">
        <QrCode text={link.address} label={t('sharing.qrOf', { address: link.name })} />
      </div>
      <code className="mt-3 block text-code break-all select-all" dir="ltr">
        {link.address}
      </code>
    </Dialog>
  )
}

/** Asks for the permissions and duration of a guest pass, and creates it. */
export function CreatePassDialog({ url, models, onCreated, onClose }: CreatePassDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [hours, setHours] = useState('4')
  const [messages, setMessages] = useState('50')
  const [link, setLink] = useState<{ name: string; address: string } | null>(null)
  const { busy, problem, handleSubmit } = useAction(
    () =>
      call(endpoints.sharing.createPass, {
        body: { name, models: chosen, hours: Number(hours), messages: Number(messages) },
      }),
    (pass) => {
      setLink({ name: pass.name, address: `${url}/${GUEST_HASH}${pass.secret}` })
      onCreated()
    },
  )
  if (link) return <NewPass link={link} onClose={onClose} />
  const isReady = name.trim() !== '' && chosen.length > 0 && Number(hours) > 0
  return (
    <Dialog
      onClose={onClose}
      title={t('sharing.createTitle')}
      actions={
        <Button tone="primary" type="submit" form="create-pass" busy={busy} disabled={!isReady}>
          {t('sharing.create')}
        </Button>
      }
    >
      <form id="create-pass" onSubmit={handleSubmit} className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <TextField
          label={t('sharing.passName')}
          hint={t('sharing.passNameHint')}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <ModelChoice models={models} chosen={chosen} onChange={setChosen} />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t('sharing.passHours')}
            type="number"
            required
            min={1}
            max={MOST_PASS_HOURS}
            value={hours}
            onChange={setHours}
          />
          <TextField
            label={t('sharing.passMessages')}
            type="number"
            required
            min={1}
            max={MOST_PASS_MESSAGES}
            value={messages}
            onChange={setMessages}
          />
        </div>
      </form>
    </Dialog>
  )
}
