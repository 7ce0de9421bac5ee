import { KeyRound, Plus } from 'lucide-react'
import { useCallback, useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/auths.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useTranslation()
  const used = apiKey.last_used_at === null ? t('common.never') : formatDay(apiKey.last_used_at)
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium wrap-anywhere">{apiKey.name}</bdi>
          <code className="text-small text-muted" dir="ltr">
            {apiKey.hint}
          </code>
        </p>
        <p className="mt-0.5 text-small text-muted">{t('settings.keys.dates', { created: formatDay(apiKey.created_at), used })}</p>
      </div>
      <Button aria-label={t('settings.keys.revokeNamed', { name: apiKey.name })} onClick={onRevoke}>
        {t('settings.keys.revoke')}
      </Button>
    </li>
  )
}

/** Names a new key, then shows its secret for the only time. */
function CreateKeyDialog({
  open,
  onOpenChange,
  onCreated,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  onCreated: () => void
}) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const close = (): void => {
    onOpenChange(false)
    setName('')
    setSecret(null)
    setProblem(null)
  }
  async function create(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      setSecret((await call(endpoints.auths.createApiKey, { body: { name: name.trim() } })).api_key)
      onCreated()
    } catch (thrown) {
      setProblem(toSentence(thrown))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    void create()
  }
  if (secret !== null) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title={t('settings.keys.createdTitle')}
        description={t('settings.keys.createdText')}
        actions={
          <Button tone="primary" className="h-control" onClick={close}>
            {t('common.done')}
          </Button>
        }
      >
        <code className="block rounded-medium border border-line bg-sunken px-3 py-2.5 text-code break-all select-all" dir="ltr">
          {secret}
        </code>
        <div className="mt-3 flex justify-end">
          <CopyButton text={secret} label={t('settings.keys.copy')} />
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog open={open} onOpenChange={close} title={t('settings.keys.create')} description={t('settings.keys.createText')}>
      <form onSubmit={handleSubmit} className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <TextField
          label={t('settings.keys.name')}
          placeholder={t('settings.keys.namePlaceholder')}
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button tone="quiet" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button tone="primary" type="submit" busy={busy} disabled={!name.trim()} className="h-control">
            {t('settings.keys.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ApiKeysPageProps {
  /** Whether the gateway accepts keys at all. */
  readonly allowed: boolean
  readonly admin: boolean
  readonly onSwitchOn: () => void
}

/** Keys for scripts and other programs: created once, shown once, revoked at once. */
export function ApiKeysPage({ allowed, admin, onSwitchOn }: ApiKeysPageProps) {
  const { t } = useTranslation()
  const [keys, setKeys] = useState<readonly ApiKey[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const load = useCallback(() => {
    call(endpoints.auths.listApiKeys, {}).then(setKeys, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [])
  useEffect(load, [load])

  async function revoke(apiKey: ApiKey): Promise<void> {
    setRevoking(null)
    try {
      await call(endpoints.auths.deleteApiKey, { params: { key_id: apiKey.id } })
      toast({ text: t('settings.keys.revoked', { name: apiKey.name }) })
      load()
    } catch (thrown) {
      toast({ tone: 'danger', text: toSentence(thrown) })
    }
  }
  const add = (
    <Button icon={<Plus className="size-4" />} disabled={!allowed} onClick={() => setCreating(true)}>
      {t('settings.keys.create')}
    </Button>
  )
  return (
    <PageSection title={t('settings.keys.title')} text={t('settings.keys.text')} action={keys !== null && keys.length > 0 && add}>
      <FormProblem text={problem} />
      {!allowed && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-large bg-warning-soft px-4 py-3">
          <p className="min-w-0 flex-1 basis-56">{admin ? t('settings.keys.offAdmin') : t('settings.keys.offUser')}</p>
          {admin && <Button onClick={onSwitchOn}>{t('settings.keys.switchOn')}</Button>}
        </div>
      )}
      {keys?.length === 0 && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<KeyRound />} title={t('settings.keys.none')} action={add}>
            {t('settings.keys.noneHint')}
          </EmptyState>
        </div>
      )}
      {keys !== null && keys.length > 0 && (
        <ul className="divide-y divide-line rounded-large border border-line bg-raised">
          {keys.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => setRevoking(apiKey)} />
          ))}
        </ul>
      )}
      <CreateKeyDialog open={creating} onOpenChange={setCreating} onCreated={load} />
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title={t('settings.keys.revokeTitle', { name: revoking?.name ?? '' })}
        description={t('settings.keys.revokeText')}
        confirmLabel={t('settings.keys.revoke')}
        danger
        onConfirm={() => revoking && void revoke(revoking)}
      />
    </PageSection>
  )
}
