import '../../lib/strings/webhooks.ts'
import { Pencil, Send, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { EventResult, EventWebhook } from '#contract/event-webhooks.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { SwitchControl } from '../../ui/controls/switch.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { isAll } from './event-filters.ts'
import { EventWebhookDialog } from './event-webhook-dialog.tsx'

/** Maximum number of filters listed; the others are only counted. */
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
      toastError,
    )
  }
  return (
    <ListRow
      icon={<WebhookIcon />}
      name={name}
      onOpen={onEdit}
      badges={!enabled && <Badge>{t('webhooks.off')}</Badge>}
      facts={[<bdi key="address">{url}</bdi>]}
      controls={
        <SwitchControl
          checked={enabled}
          onChange={toggle}
          aria-label={t('webhooks.enable', { name })}
        />
      }
      menu={
        <MoreMenu label={t('webhooks.actionsOf', { name })}>
          <MenuItem icon={<Pencil />} onSelect={onEdit}>
            {t('common.edit')}
          </MenuItem>
          <RemovalItem label={t('common.remove')} onSelect={onRemove} />
        </MoreMenu>
      }
    >
      <Filters events={events} />
      <FormProblem text={testing.problem} />
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <DeliveryStatus webhook={webhook} nameOf={eventName} />
        <Button
          busy={testing.busy}
          icon={<Send className="size-4" />}
          aria-label={t('webhooks.sendTestTo', { name })}
          onClick={() => void testing.run()}
        >
          {t('webhooks.sendTest')}
        </Button>
      </div>
    </ListRow>
  )
}

type Sheet = { readonly kind: 'form' | 'remove'; readonly webhook: EventWebhook | null }

interface WebhooksExtra {
  /** All existing events. */
  readonly catalogue: readonly string[]
}

const createWebhooksStore = () =>
  new ListStore<EventWebhook, WebhooksExtra>({
    read: async ({ signal }) => {
      const [{ events: catalogue }, items] = await Promise.all([
        call(endpoints.eventWebhooks.catalogue, {}, { signal }),
        call(endpoints.eventWebhooks.list, {}, { signal }),
      ])
      return { items, catalogue }
    },
    extra: { catalogue: [] },
    keyOf: ({ id }) => id,
  })

const byName = byText(({ name }: EventWebhook) => name)
const ORDERS = {
  name: byName,
  state: (left: EventWebhook, right: EventWebhook) =>
    Number(left.last_result?.delivered !== false) -
      Number(right.last_result?.delivered !== false) || byName(left, right),
}
const textOf = ({ name, url }: EventWebhook): string => `${name} ${url}`

interface SheetsProps {
  readonly sheet: Sheet
  readonly catalogue: readonly string[]
  readonly onSaved: (webhook: EventWebhook) => void
  readonly onRemove: (webhook: EventWebhook) => void
  readonly onClose: () => void
}

function Sheets({ sheet: { kind, webhook }, catalogue, onSaved, onRemove, onClose }: SheetsProps) {
  const { t } = useTranslation()
  if (kind === 'form')
    return (
      <EventWebhookDialog
        webhook={webhook}
        catalogue={catalogue}
        onClose={onClose}
        onSaved={onSaved}
      />
    )
  return (
    webhook && (
      <ConfirmDialog
        danger
        onClose={onClose}
        title={t('webhooks.removeTitle', { name: webhook.name })}
        description={t('webhooks.removeText')}
        confirmLabel={t('common.remove')}
        onConfirm={() => onRemove(webhook)}
      />
    )
  )
}

/**
 * External URLs that receive the gateway's events, with the result of the last delivery to each.
 */
export function EventWebhooksPage() {
  const { t } = useTranslation()
  const [store] = useState(createWebhooksStore)
  const { catalogue } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const list = useListPage({
    store,
    textOf,
    orders: ORDERS,
    labels: { failed: t('webhooks.loadFailed'), search: t('webhooks.search') },
  })
  const close = (): void => setSheet(null)
  const remove = (webhook: EventWebhook): void => {
    close()
    const params = { webhook_id: webhook.id }
    store.remove(webhook, () => call(endpoints.eventWebhooks.remove, { params })).catch(toastError)
  }
  return (
    <>
      <ListPage
        {...list.page}
        text={t('webhooks.eventsText')}
        primary={{
          label: t('webhooks.add'),
          onSelect: () => setSheet({ kind: 'form', webhook: null }),
        }}
        empty={{
          icon: <WebhookIcon />,
          title: t('webhooks.noAddresses'),
          text: t('webhooks.noAddressesHint'),
        }}
        noMatch={t('webhooks.noMatch')}
      >
        <Rows label={t('settings.pages.webhooks')}>
          {list.shown.map((webhook) => (
            <Row
              key={webhook.id}
              webhook={webhook}
              onEdit={() => setSheet({ kind: 'form', webhook })}
              onRemove={() => setSheet({ kind: 'remove', webhook })}
              onChanged={(changed) => store.put(changed)}
            />
          ))}
        </Rows>
      </ListPage>
      {sheet && (
        <Sheets
          sheet={sheet}
          catalogue={catalogue}
          onSaved={(saved) => {
            store.put(saved)
            toast({ text: t('common.saved') })
            close()
          }}
          onRemove={remove}
          onClose={close}
        />
      )}
    </>
  )
}
