import { KeyRound } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/auths.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatAge, formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { fromLimits, NO_LIMITS } from './key-limits-draft.ts'
import { KeyLimitsFields, useLimitTexts } from './key-limits.tsx'

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useTranslation()
  const used = apiKey.last_used_at === null ? t('common.never') : formatAge(apiKey.last_used_at)
  const limits = useLimitTexts(apiKey)
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium wrap-anywhere">{apiKey.name}</bdi>
          <code className="text-small text-muted" dir="ltr">
            {apiKey.hint}
          </code>
        </p>
        <p className="mt-0.5 text-small text-muted">
          {t('settings.keys.dates', { created: formatDay(apiKey.created_at), used })}
          {apiKey.last_used_by &&
            ` · ${t('settings.keys.usedBy', { program: apiKey.last_used_by })}`}
          {apiKey.expires_at !== null &&
            ` · ${t('settings.keys.limits.until', { day: formatDay(apiKey.expires_at) })}`}
        </p>
        {limits.map((text) => (
          <p key={text} className="text-small wrap-anywhere text-muted">
            {text}
          </p>
        ))}
      </div>
      <Button aria-label={t('settings.keys.revokeNamed', { name: apiKey.name })} onClick={onRevoke}>
        {t('settings.keys.revoke')}
      </Button>
    </li>
  )
}

interface CreateKeyFormProps {
  readonly disabled: boolean
  readonly hasLimits: boolean
  readonly onCreated: (secret: string) => void
}

/** Names a new key and hands over its secret. */
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
    <form onSubmit={handleSubmit} className="mb-6 flex flex-col gap-3">
      <FormProblem text={problem} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <TextField
            label={t('settings.keys.name')}
            placeholder={t('settings.keys.namePlaceholder')}
            required
            disabled={disabled}
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button tone="primary" type="submit" busy={busy} disabled={disabled || !name.trim()}>
          {t('settings.keys.create')}
        </Button>
      </div>
      <p className="text-small text-muted">{t('settings.keys.createText')}</p>
      {hasLimits && !disabled && <KeyLimitsFields draft={limits} onChange={setLimits} />}
    </form>
  )
}

/** Shows a new secret for the only time. */
function NewKeyDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={onClose}
      title={t('settings.keys.createdTitle')}
      description={t('settings.keys.createdText')}
      actions={
        <Button tone="primary" className="h-control" onClick={onClose}>
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
        <CopyButton text={secret ?? ''} label={t('settings.keys.copy')} />
      </div>
    </Dialog>
  )
}

interface ApiKeysPageProps {
  /** Whether the gateway accepts keys at all. */
  readonly allowed: boolean
  /** Whether a key can be limited. */
  readonly hasLimits: boolean
  readonly admin: boolean
  readonly onSwitchOn: () => void
}

/** Keys for scripts and other programs: created once, shown once, revoked at once. */
export function ApiKeysPage({ allowed, hasLimits, admin, onSwitchOn }: ApiKeysPageProps) {
  const { t } = useTranslation()
  const [keys, setKeys] = useState<readonly ApiKey[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const load = useCallback(() => {
    call(endpoints.auths.listApiKeys, {}).then(setKeys, (thrown: unknown) =>
      setProblem(toSentence(thrown)),
    )
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
  return (
    <PageSection text={t('settings.keys.text')}>
      <FormProblem text={problem} />
      {!allowed && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-large bg-warning-soft px-4 py-3">
          <p className="min-w-0 flex-1 basis-56">
            {admin ? t('settings.keys.offAdmin') : t('settings.keys.offUser')}
          </p>
          {admin && <Button onClick={onSwitchOn}>{t('settings.keys.switchOn')}</Button>}
        </div>
      )}
      <CreateKeyForm
        disabled={!allowed}
        hasLimits={hasLimits}
        onCreated={(created) => {
          setSecret(created)
          load()
        }}
      />
      {keys?.length === 0 && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<KeyRound />} title={t('settings.keys.none')}>
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
      <NewKeyDialog secret={secret} onClose={() => setSecret(null)} />
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
