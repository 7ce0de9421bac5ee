import '../../lib/strings/setting-pages.ts'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/auths.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { useAction } from '../../api/use-action.ts'
import { formatAge, formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { fromLimits, NO_LIMITS } from './key-limits-draft.ts'
import { KeyLimitsFields, useLimitTexts } from './key-limits.tsx'

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useTranslation()
  const { created_at, last_used_at: usedAt } = apiKey
  const created = formatDay(created_at)
  const limits = useLimitTexts(apiKey)
  return (
    <ListRow
      icon={<KeyRound />}
      name={apiKey.name}
      aside={
        <code className="text-small text-muted" dir="ltr">
          {apiKey.hint}
        </code>
      }
      facts={[
        usedAt === null
          ? t('settingPages.keys.unused', { created })
          : t('settingPages.keys.dates', { created, used: formatAge(usedAt) }),
        apiKey.last_used_by && t('settingPages.keys.usedBy', { program: apiKey.last_used_by }),
        apiKey.expires_at !== null &&
          t('settingPages.keys.limits.until', { day: formatDay(apiKey.expires_at) }),
      ]}
      controls={
        <Button
          aria-label={t('settingPages.keys.revokeNamed', { name: apiKey.name })}
          onClick={onRevoke}
        >
          {t('settingPages.keys.revoke')}
        </Button>
      }
    >
      {limits.length > 0 &&
        limits.map((text) => (
          <p key={text} className="text-small wrap-anywhere text-muted">
            {text}
          </p>
        ))}
    </ListRow>
  )
}

interface CreateKeyFormProps {
  readonly disabled: boolean
  readonly hasLimits: boolean
  readonly onCreated: (secret: string) => void
}

/** Form that creates a key with a name and passes on its secret. */
function CreateKeyForm({ disabled, hasLimits, onCreated }: CreateKeyFormProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [limits, setLimits] = useState(NO_LIMITS)
  const { busy, problem, handleSubmit } = useAction(async () => {
    const created = await call(endpoints.auths.createApiKey, {
      body: { name: name.trim(), ...(hasLimits && fromLimits(limits)) },
    })
    onCreated(created.api_key)
    setName((shown) => (shown === name ? '' : shown))
    setLimits(NO_LIMITS)
  })
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-3">
      <FormProblem text={problem} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <TextField
            label={t('settingPages.keys.name')}
            placeholder={t('settingPages.keys.namePlaceholder')}
            required
            disabled={disabled}
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={setName}
          />
        </div>
        <Button
          tone="primary"
          className="h-primary"
          type="submit"
          busy={busy}
          disabled={disabled || !name.trim()}
        >
          {t('settingPages.keys.create')}
        </Button>
      </div>
      <p className="text-small text-muted">{t('settingPages.keys.createText')}</p>
      {hasLimits && !disabled && <KeyLimitsFields draft={limits} onChange={setLimits} />}
    </form>
  )
}

/** Shows a new secret, the only time it is displayed. */
function NewKeyDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      title={t('settingPages.keys.createdTitle')}
      description={t('settingPages.keys.createdText')}
      actions={
        <Button tone="primary" onClick={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <code
        className="block rounded-medium border border-line bg-sunken px-3 py-2.5 text-code break-all select-all"
        dir="ltr"
      >
        {secret}
      </code>
      <div className="mt-3 flex justify-end">
        <CopyButton text={secret ?? ''} label={t('settingPages.keys.copy')} />
      </div>
    </Dialog>
  )
}

interface ApiKeysPageProps {
  /** True if the gateway accepts keys. */
  readonly allowed: boolean
  /** True if a key can be limited. */
  readonly hasLimits: boolean
  readonly admin: boolean
  readonly onSwitchOn: () => void
}

const createKeysStore = () =>
  new ListStore<ApiKey>({
    read: async ({ signal }) => ({
      items: await call(endpoints.auths.listApiKeys, {}, { signal }),
    }),
    extra: {},
    keyOf: ({ id }) => id,
  })

const ORDERS = {
  newest: (left: ApiKey, right: ApiKey) => right.created_at - left.created_at,
  name: byText(({ name }: ApiKey) => name),
}

function OffNote({ admin, onSwitchOn }: Pick<ApiKeysPageProps, 'admin' | 'onSwitchOn'>) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-large bg-warning-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-56">
        {admin ? t('settingPages.keys.offAdmin') : t('settingPages.keys.offUser')}
      </p>
      {admin && <Button onClick={onSwitchOn}>{t('settingPages.keys.switchOn')}</Button>}
    </div>
  )
}

/** Keys for scripts and other clients: created, shown once, and revoked immediately. */
export function ApiKeysPage({ allowed, hasLimits, admin, onSwitchOn }: ApiKeysPageProps) {
  const { t } = useTranslation()
  const [store] = useState(createKeysStore)
  const [secret, setSecret] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const list = useListPage({
    store,
    textOf: ({ name }) => name,
    orders: ORDERS,
    labels: { failed: t('settingPages.keys.loadFailed'), search: t('settingPages.keys.search') },
  })

  async function revoke(apiKey: ApiKey): Promise<void> {
    setRevoking(null)
    try {
      await store.remove(apiKey, () =>
        call(endpoints.auths.deleteApiKey, { params: { key_id: apiKey.id } }),
      )
      toast({ text: t('settingPages.keys.revoked', { name: apiKey.name }) })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  return (
    <>
      <ListPage
        {...list.page}
        text={t('settingPages.keys.text')}
        note={
          <>
            {!allowed && <OffNote admin={admin} onSwitchOn={onSwitchOn} />}
            <CreateKeyForm
              disabled={!allowed}
              hasLimits={hasLimits}
              onCreated={(created) => {
                setSecret(created)
                void store.load()
              }}
            />
          </>
        }
        empty={{
          icon: <KeyRound />,
          title: t('settingPages.keys.none'),
          text: t('settingPages.keys.noneHint'),
        }}
        noMatch={t('settingPages.keys.noMatch')}
      >
        <Rows label={t('settings.pages.keys')}>
          {list.shown.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => setRevoking(apiKey)} />
          ))}
        </Rows>
      </ListPage>
      <NewKeyDialog secret={secret} onClose={() => setSecret(null)} />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={t('settingPages.keys.revokeTitle', { name: revoking?.name ?? '' })}
        description={t('settingPages.keys.revokeText')}
        confirmLabel={t('settingPages.keys.revoke')}
        danger
        onConfirm={() => revoking && void revoke(revoking)}
      />
    </>
  )
}
