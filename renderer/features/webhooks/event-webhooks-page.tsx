import { Pencil, Plus, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventResult, EventWebhook } from '#contract/event-webhooks.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { SwitchControl } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { isAll } from './event-filters.ts'
import { EventWebhookDialog } from './event-webhook-dialog.tsx'

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })
/** Further filters are counted. */
const SHOWN_FILTERS = 4

function useEventName() {
  const { t } = useTranslation()
  return ({ event }: EventResult): string => (event === 'test' ? t('webhooks.events.test') : event)
}

function Filters({ events }: { events: readonly string[] }) {
  const { t } = useTranslation()
  if (isAll(events)) return <p className="text-small text-muted">{t('webhooks.allEvents')}</p>
  const more = events.length - SHOWN_FILTERS
  return (
    <p className="flex flex-wrap gap-x-2 gap-y-1 text-small text-muted">
      {events.slice(0, SHOWN_FILTERS).map((filter) => (
        <code key={filter} className="wrap-anywhere">
          {filter}
        </code>
      ))}
      {more > 0 && <span>{t('webhooks.moreEvents', { count: more })}</span>}
    </p>
  )
}

interface RowProps {
  readonly webhook: EventWebhook
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onChanged: (webhook: EventWebhook) => void
}

function Row({ webhook, onEdit, onRemove, onChanged }: RowProps) {
  const { t } = useTranslation()
  const eventName = useEventName()
  const { id, name, url, enabled, events } = webhook
  const params = { webhook_id: id }
  const testing = useAction(async () => {
    const result = await call(endpoints.eventWebhooks.test, { params })
    onChanged({ ...webhook, last_result: result })
  })
  const toggle = (isWanted: boolean): void => {
    call(endpoints.eventWebhooks.update, { params, body: { enabled: isWanted } }).then(
      onChanged,
      tell,
    )
  }
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 font-medium">
            <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
            {!enabled && <Badge>{t('webhooks.off')}</Badge>}
          </h2>
          <bdi className="block text-small wrap-anywhere text-muted">{url}</bdi>
          <Filters events={events} />
        </div>
        <SwitchControl
          checked={enabled}
          onChange={toggle}
          aria-label={t('webhooks.enable', { name })}
        />
      </div>
      <FormProblem text={testing.problem} />
      <div className="flex flex-wrap items-center justify-end gap-1">
        <DeliveryStatus webhook={webhook} nameOf={eventName} />
        <Button
          busy={testing.busy}
          icon={<Send className="size-4" />}
          aria-label={t('webhooks.sendTestTo', { name })}
          onClick={() => void testing.run()}
        >
          {t('webhooks.sendTest')}
        </Button>
        <IconButton label={t('webhooks.edit', { name })} icon={<Pencil />} onClick={onEdit} />
        <IconButton label={t('webhooks.remove', { name })} icon={<Trash2 />} onClick={onRemove} />
      </div>
    </li>
  )
}

type Sheet = { readonly kind: 'form' | 'remove'; readonly webhook: EventWebhook | null }

interface Loaded {
  readonly catalogue: readonly string[]
  readonly webhooks: readonly EventWebhook[]
}

const load = async (): Promise<Loaded> => {
  const [{ events }, webhooks] = await Promise.all([
    call(endpoints.eventWebhooks.catalogue, {}),
    call(endpoints.eventWebhooks.list, {}),
  ])
  return { catalogue: events, webhooks }
}

interface ListProps extends Loaded {
  readonly onChange: (
    change: (webhooks: readonly EventWebhook[]) => readonly EventWebhook[],
  ) => void
}

const put =
  (saved: EventWebhook) =>
  (webhooks: readonly EventWebhook[]): readonly EventWebhook[] =>
    webhooks.some(({ id }) => id === saved.id)
      ? webhooks.map((each) => (each.id === saved.id ? saved : each))
      : [...webhooks, saved]

function List({ catalogue, webhooks, onChange }: ListProps) {
  const { t } = useTranslation()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const close = (): void => setSheet(null)
  const remove = ({ id }: EventWebhook): void => {
    call(endpoints.eventWebhooks.remove, { params: { webhook_id: id } }).then(
      () => onChange((before) => before.filter((each) => each.id !== id)),
      tell,
    )
    close()
  }
  const add = (
    <Button
      tone="primary"
      className="h-control"
      icon={<Plus className="size-4" />}
      onClick={() => setSheet({ kind: 'form', webhook: null })}
    >
      {t('webhooks.add')}
    </Button>
  )
  return (
    <PageSection text={t('webhooks.eventsText')} action={webhooks.length > 0 && add}>
      {webhooks.length === 0 ? (
        <div className="rounded-large border border-line">
          <EmptyState icon={<WebhookIcon />} title={t('webhooks.noAddresses')} action={add}>
            {t('webhooks.noAddressesHint')}
          </EmptyState>
        </div>
      ) : (
        <ul
          aria-label={t('settings.pages.webhooks')}
          className="divide-y divide-line rounded-large border border-line bg-raised"
        >
          {webhooks.map((webhook) => (
            <Row
              key={webhook.id}
              webhook={webhook}
              onEdit={() => setSheet({ kind: 'form', webhook })}
              onRemove={() => setSheet({ kind: 'remove', webhook })}
              onChanged={(changed) => onChange(put(changed))}
            />
          ))}
        </ul>
      )}
      {sheet?.kind === 'form' && (
        <EventWebhookDialog
          webhook={sheet.webhook}
          catalogue={catalogue}
          onClose={close}
          onSaved={(saved) => {
            onChange(put(saved))
            toast({ text: t('common.saved') })
            close()
          }}
        />
      )}
      {sheet?.kind === 'remove' && sheet.webhook && (
        <ConfirmDialog
          open
          danger
          onOpenChange={close}
          title={t('webhooks.removeTitle', { name: sheet.webhook.name })}
          description={t('webhooks.removeText')}
          confirmLabel={t('common.remove')}
          onConfirm={() => remove(sheet.webhook!)}
        />
      )}
    </PageSection>
  )
}

/**
 * The addresses outside that are told what happens on the gateway, with how the last delivery to
 * each went.
 */
export function EventWebhooksPage() {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const begin = useCallback(() => {
    load().then(setLoaded, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [])
  useEffect(begin, [begin])
  if (problem) return <FormProblem text={problem} />
  if (!loaded) return <Spinner className="mx-auto my-8 block" />
  return (
    <List
      {...loaded}
      onChange={(change) =>
        setLoaded((before) => before && { ...before, webhooks: change(before.webhooks) })
      }
    />
  )
}
