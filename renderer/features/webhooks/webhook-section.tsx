import '../../lib/strings/webhooks.ts'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '#contract/webhooks.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { DeliveryStatus } from './delivery-status.tsx'

const CALLS = {
  gateway: {
    read: endpoints.webhooks.gateway,
    update: endpoints.webhooks.updateGateway,
    test: endpoints.webhooks.testGateway,
  },
  own: {
    read: endpoints.webhooks.own,
    update: endpoints.webhooks.updateOwn,
    test: endpoints.webhooks.testOwn,
  },
} as const

interface FormProps {
  readonly which: keyof typeof CALLS
  readonly start: Webhook
}

function WebhookForm({ which, start }: FormProps) {
  const { t } = useTranslation()
  const [webhook, setWebhook] = useState(start)
  const [url, setUrl] = useState(start.url)
  const [secret, setSecret] = useState('')
  const saving = useAction(async (given: { url?: string; secret?: string }) => {
    const saved = await call(CALLS[which].update, { body: given })
    setWebhook(saved)
    // Another window may have changed the address meanwhile.
    setUrl((shown) => (shown.trim() === webhook.url ? saved.url : shown))
    setSecret('')
    toast({ text: t('common.saved') })
  })
  const testing = useAction(async () => {
    const result = await call(CALLS[which].test, {})
    setWebhook((before) => ({ ...before, last_result: result }))
  })
  const isChanged = url.trim() !== webhook.url || secret.trim() !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run({
          ...(url.trim() !== webhook.url && { url: url.trim() }),
          ...(secret.trim() !== '' && { secret: secret.trim() }),
        })
      }}
      className="flex flex-col gap-4"
    >
      <FormProblem text={saving.problem ?? testing.problem} />
      <TextField
        label={t('webhooks.address')}
        hint={t('webhooks.addressHint')}
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        value={url}
        onChange={setUrl}
      />
      <SecretField
        label={t('webhooks.secret')}
        hint={webhook.has_secret ? t('webhooks.secretSet') : t('webhooks.secretHint')}
        autoComplete="off"
        maxLength={200}
        value={secret}
        onChange={setSecret}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" tone="primary" busy={saving.busy} disabled={!isChanged}>
          {t('common.save')}
        </Button>
        <Button
          busy={testing.busy}
          disabled={webhook.url === '' || isChanged}
          onClick={() => void testing.run()}
        >
          {t('webhooks.sendTest')}
        </Button>
        {webhook.has_secret && (
          <Button busy={saving.busy} onClick={() => void saving.run({ secret: '' })}>
            {t('webhooks.removeSecret')}
          </Button>
        )}
        <DeliveryStatus webhook={webhook} nameOf={({ event }) => t(`webhooks.events.${event}`)} />
      </div>
    </form>
  )
}

/** Webhook for the gateway's events, or for the answers of the current user. */
export function WebhookSection({ which }: { which: keyof typeof CALLS }) {
  const { t } = useTranslation()
  const [start, setStart] = useState<Webhook | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const load = useCallback(() => {
    call(CALLS[which].read, {}).then(setStart, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [which])
  useEffect(load, [load])
  return (
    <PageSection title={t(`webhooks.${which}Title`)} text={t(`webhooks.${which}Text`)}>
      {start ? (
        <WebhookForm which={which} start={start} />
      ) : problem ? (
        <FormProblem text={problem} />
      ) : (
        <PageWait />
      )}
    </PageSection>
  )
}
