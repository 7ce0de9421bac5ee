import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventWebhook } from '#contract/event-webhooks.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { EventChoice } from './event-choice.tsx'
import { ALL_EVENTS, isAll, toChosen, toFilters } from './event-filters.ts'

interface DialogProps {
  /** Webhook to edit; null for a new one. */
  readonly webhook: EventWebhook | null
  readonly catalogue: readonly string[]
  readonly onClose: () => void
  readonly onSaved: (saved: EventWebhook) => void
}

/**
 * Dialog that creates or edits a URL that receives events. A stored secret is never shown again.
 */
export function EventWebhookDialog({ webhook, catalogue, onClose, onSaved }: DialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState('')
  const [keepsSecret, setKeepsSecret] = useState(true)
  const [all, setAll] = useState(webhook === null || isAll(webhook.events))
  const [chosen, setChosen] = useState(() => toChosen(webhook?.events ?? [], catalogue))
  const saving = useAction(async () => {
    const typed = secret.trim()
    const body = {
      name: name.trim(),
      url: url.trim(),
      events: all ? [...ALL_EVENTS] : toFilters(chosen, catalogue),
      ...(typed !== '' ? { secret: typed } : !keepsSecret && { secret: '' }),
    }
    if (webhook)
      return call(endpoints.eventWebhooks.update, { params: { webhook_id: webhook.id }, body })
    return call(endpoints.eventWebhooks.create, { body })
  }, onSaved)
  const isEmpty = !all && chosen.size === 0
  const hasSecret = webhook?.has_secret === true && keepsSecret
  return (
    <FormDialog
      wide
      title={webhook ? t('webhooks.editTitle') : t('webhooks.addTitle')}
      submission={saving}
      isReady={!isEmpty}
      onClose={onClose}
    >
      <TextField
        label={t('webhooks.name')}
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <TextField
        label={t('webhooks.address')}
        hint={t('webhooks.eventAddressHint')}
        type="url"
        inputMode="url"
        autoComplete="off"
        required
        maxLength={2000}
        value={url}
        onChange={setUrl}
      />
      <SecretField
        label={t('webhooks.secret')}
        hint={hasSecret ? t('webhooks.secretSet') : t('webhooks.secretHint')}
        autoComplete="off"
        maxLength={200}
        value={secret}
        onChange={setSecret}
      />
      {webhook?.has_secret && (
        <Switch
          label={t('webhooks.keepSecret')}
          checked={keepsSecret}
          onChange={setKeepsSecret}
          disabled={secret.trim() !== ''}
        />
      )}
      <Switch
        label={t('webhooks.allEvents')}
        hint={t('webhooks.allEventsHint')}
        checked={all}
        onChange={setAll}
      />
      {!all && <EventChoice catalogue={catalogue} chosen={chosen} onChange={setChosen} />}
      {isEmpty && <p className="text-small text-muted">{t('webhooks.chooseOne')}</p>}
    </FormDialog>
  )
}
