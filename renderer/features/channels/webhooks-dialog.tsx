import { Pencil, Plus, RefreshCw, Trash2, Webhook } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelWebhook } from '#contract/channel-webhooks.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints, toUrl } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatAge } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { InlineEditor } from '../../ui/fields/inline-editor.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { useRoom } from './room-view.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'
import { toTime } from './shown-message.ts'

/** Returns the URL that clients post to; only a response that contains the token has one. */
const addressOf = ({ id, token }: ChannelWebhook): string | null =>
  token === null
    ? null
    : location.origin + toUrl(endpoints.channels.receive, { params: { webhook_id: id, token } })

/** Returns a shell command that posts a message. */
export const toCurl = (address: string, text: string): string =>
  `curl -X POST '${address}' -H 'Content-Type: application/json' -d '${JSON.stringify({ content: text }).replaceAll("'", String.raw`'\''`)}'`

function Copied({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-1">
      <p className="text-small font-medium">{label}</p>
      <div className="flex items-start gap-1 rounded-medium border border-line bg-page py-1.5 ps-3 pe-1.5">
        <code dir="ltr" data-exempt="" className="min-w-0 flex-1 py-0.5 text-code break-all">
          {text}
        </code>
        <CopyButton isSmall label={t('channels.webhooks.copyOf', { what: label })} text={text} />
      </div>
    </div>
  )
}

/** The URL of a webhook, shown only once, with a command to try it. */
function NewAddress({ webhook, onDone }: { webhook: ChannelWebhook; onDone: () => void }) {
  const { t } = useTranslation()
  const address = addressOf(webhook)
  if (address === null) return null
  return (
    <section
      aria-label={t('channels.webhooks.address')}
      className="flex flex-col gap-3 rounded-large border border-accent bg-accent-soft p-4"
    >
      <p className="text-pretty">{t('channels.webhooks.once', { name: webhook.name })}</p>
      <Copied label={t('channels.webhooks.address')} text={address} />
      <Copied
        label={t('channels.webhooks.try')}
        text={toCurl(address, t('channels.webhooks.hello'))}
      />
      <Button className="self-end" onClick={onDone}>
        {t('channels.webhooks.noted')}
      </Button>
    </section>
  )
}

interface RowProps {
  readonly webhook: ChannelWebhook
  readonly onRename: (name: string) => void
  readonly onRotate: () => void
  readonly onRemove: () => void
}

function WebhookRow({ webhook, onRename, onRotate, onRemove }: RowProps) {
  const { t } = useTranslation()
  const [isRenaming, setRenaming] = useState(false)
  const { id, name, profile_image_url: picture, last_used_at: usedAt } = webhook
  return (
    <li className="flex min-h-13 items-center gap-3 ps-3 pe-1.5">
      <Avatar size="medium" kind="webhook" name={name} id={id} picture={picture} />
      <span className="min-w-0 flex-1 py-1.5">
        {isRenaming ? (
          <InlineEditor
            label={t('channels.webhooks.name')}
            value={name}
            maxLength={100}
            onCancel={() => setRenaming(false)}
            onSave={(next) => {
              setRenaming(false)
              if (next.trim() !== '' && next.trim() !== name) onRename(next.trim())
            }}
          />
        ) : (
          <>
            <bdi className="block truncate font-medium">
              {name || t('channels.message.webhook')}
            </bdi>
            <span className="block text-small text-muted">
              {usedAt === null
                ? t('channels.webhooks.unused')
                : t('channels.webhooks.used', { age: formatAge(toTime(usedAt) / 1000) })}
            </span>
          </>
        )}
      </span>
      <MoreMenu label={t('channels.webhooks.actions', { name })}>
        <MenuItem icon={<Pencil />} onSelect={() => setTimeout(() => setRenaming(true))}>
          {t('channels.webhooks.rename')}
        </MenuItem>
        <MenuItem icon={<RefreshCw />} onSelect={onRotate}>
          {t('channels.webhooks.rotate')}
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger onSelect={onRemove}>
          {t('channels.webhooks.delete')}
        </MenuItem>
      </MoreMenu>
    </li>
  )
}

function CreateForm({ onCreated }: { onCreated: (webhook: ChannelWebhook) => void }) {
  const { t } = useTranslation()
  const { room } = useRoom()
  const [name, setName] = useState('')
  const creating = useAction(
    () =>
      call(endpoints.channels.createWebhook, {
        params: { channel_id: room.channelId },
        body: { name: name.trim() },
      }),
    (webhook) => {
      setName('')
      onCreated(webhook)
    },
  )
  return (
    <form onSubmit={creating.handleSubmit} className="flex flex-col gap-2">
      <FormProblem text={creating.problem} />
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('channels.webhooks.new')}
            placeholder={t('channels.webhooks.example')}
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={setName}
          />
        </div>
        <Button
          type="submit"
          tone="primary"
          className="h-primary"
          icon={<Plus className="size-4" />}
          busy={creating.busy}
          disabled={name.trim() === ''}
        >
          {t('channels.webhooks.create')}
        </Button>
      </div>
    </form>
  )
}

/** URLs that clients post messages to, for managers of the channel. */
export function WebhooksDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { room } = useRoom()
  const [webhooks, setWebhooks] = useState<readonly ChannelWebhook[] | null>(null)
  const [shown, setShown] = useState<ChannelWebhook | null>(null)
  const [asked, setAsked] = useState<{
    readonly kind: 'rotate' | 'delete'
    readonly webhook: ChannelWebhook
  } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const params = { channel_id: room.channelId }
  const load = useCallback(
    (): Promise<void> =>
      call(endpoints.channels.webhooks, { params: { channel_id: room.channelId } }).then(
        (rows) => {
          setWebhooks(rows)
          setProblem(null)
        },
        (thrown: unknown) => setProblem(toSentence(thrown)),
      ),
    [room.channelId],
  )
  useEffect(() => {
    void load()
  }, [load])
  const show = (webhook: ChannelWebhook): void => {
    setShown(webhook)
    void load()
  }
  const rename = (webhook: ChannelWebhook, name: string): void =>
    void call(endpoints.channels.updateWebhook, {
      params: { ...params, webhook_id: webhook.id },
      body: { name },
    }).then(load, tellFailure('channels.failed.webhook'))
  const confirm = async (): Promise<void> => {
    if (!asked) return
    const { kind, webhook } = asked
    const input = { params: { ...params, webhook_id: webhook.id } }
    setAsked(null)
    try {
      if (kind === 'rotate') return show(await call(endpoints.channels.rotateWebhook, input))
      await call(endpoints.channels.removeWebhook, input)
      if (shown?.id === webhook.id) setShown(null)
      await load()
    } catch (thrown) {
      tellFailure('channels.failed.webhook')(thrown)
    }
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t('channels.webhooks.title')}
      description={t('channels.webhooks.text')}
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <CreateForm onCreated={show} />
        {shown && (
          <NewAddress
            webhook={shown}
            onDone={() => {
              setShown(null)
              void load()
            }}
          />
        )}
        {webhooks === null && problem === null && <PageWait shape="lines" />}
        {webhooks?.length === 0 && (
          <EmptyState icon={<Webhook />} title={t('channels.webhooks.none')}>
            {t('channels.webhooks.noneHint')}
          </EmptyState>
        )}
        {webhooks && webhooks.length > 0 && (
          <ul
            aria-label={t('channels.webhooks.title')}
            className="divide-y divide-line rounded-large border border-line"
          >
            {webhooks.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                onRename={(name) => rename(webhook, name)}
                onRotate={() => setAsked({ kind: 'rotate', webhook })}
                onRemove={() => setAsked({ kind: 'delete', webhook })}
              />
            ))}
          </ul>
        )}
      </div>
      {asked && (
        <ConfirmDialog
          danger
          onClose={() => setAsked(null)}
          title={t(`channels.webhooks.${asked.kind}Title`, { name: asked.webhook.name })}
          description={t(`channels.webhooks.${asked.kind}Text`)}
          confirmLabel={t(`channels.webhooks.${asked.kind}`)}
          onConfirm={() => void confirm()}
        />
      )}
    </Dialog>
  )
}
