import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import { useAction } from '../../api/use-action.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { SecretField, TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { type ServerDraft, type ServerKind, signsIn, toInput } from './server-draft.ts'
import { SignInFields } from './sign-in-fields.tsx'
import { useKeyFocus } from './use-key-focus.ts'
import { verifyServer } from './servers-store.ts'

interface ServerFormProps {
  readonly draft: ServerDraft
  readonly principals: PrincipalLoaders
  /** True if the form opens at its sign-in. */
  readonly atKey?: boolean
  readonly onSave: (draft: ServerDraft, grants: AccessGrant[]) => Promise<void>
  readonly onClose: () => void
}

const KINDS: readonly ServerKind[] = ['openapi', 'mcp', 'program']
const AUTH_TYPES = ['none', 'bearer', 'session', 'oauth_2.1', 'oauth_2.1_static'] as const
const APPROVALS = ['', 'never', 'changes', 'always'] as const

interface PartProps {
  readonly draft: ServerDraft
  readonly change: (values: Partial<ServerDraft>) => void
}

function ProgramFields({ draft, change }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('toolServers.command')}
        hint={t('toolServers.commandHint')}
        value={draft.command}
        required
        dir="ltr"
        spellCheck={false}
        onChange={(event) => change({ command: event.target.value })}
      />
      <TextArea
        label={t('toolServers.arguments')}
        hint={t('toolServers.perLine')}
        value={draft.arguments}
        rows={3}
        dir="ltr"
        spellCheck={false}
        onChange={(event) => change({ arguments: event.target.value })}
      />
      <TextArea
        label={t('toolServers.environment')}
        hint={t('toolServers.environmentHint')}
        value={draft.environment}
        rows={2}
        dir="ltr"
        spellCheck={false}
        onChange={(event) => change({ environment: event.target.value })}
      />
    </>
  )
}

function AddressFields({ draft, change, atKey }: PartProps & { atKey: boolean }) {
  const { t } = useTranslation()
  const keyFields = useKeyFocus(atKey)
  const needsKey = draft.authType === 'bearer'
  return (
    <>
      <TextField
        label={t('toolServers.url')}
        value={draft.url}
        required
        inputMode="url"
        dir="ltr"
        placeholder="http://127.0.0.1:8200"
        onChange={(event) => change({ url: event.target.value })}
      />
      {draft.kind === 'openapi' && (
        <TextField
          label={t('toolServers.path')}
          hint={t('toolServers.pathHint')}
          value={draft.path}
          dir="ltr"
          onChange={(event) => change({ path: event.target.value })}
        />
      )}
      <div ref={keyFields} className="flex flex-col gap-4">
        <Select
          label={t('toolServers.auth')}
          value={draft.authType}
          options={AUTH_TYPES.filter(
            (value) => draft.kind === 'mcp' || !value.startsWith('oauth'),
          ).map((value) => ({
            value,
            label: t(`toolServers.authTypes.${value.replace('.', '_') as 'none'}`),
          }))}
          onChange={(event) => change({ authType: event.target.value as ServerDraft['authType'] })}
        />
        {signsIn(draft) && <SignInFields draft={draft} change={change} />}
        {needsKey && (
          <SecretField
            label={t('toolServers.key')}
            value={draft.key}
            autoComplete="off"
            onChange={(event) => change({ key: event.target.value })}
          />
        )}
      </div>
    </>
  )
}

function FurtherFields({ draft, change }: PartProps) {
  const { t } = useTranslation()
  return (
    <FoldOut title={t('toolServers.further')}>
      <div className="mt-2 flex flex-col gap-4">
        <TextField
          label={t('toolServers.id')}
          hint={t('toolServers.idHint')}
          value={draft.id}
          dir="ltr"
          spellCheck={false}
          onChange={(event) => change({ id: event.target.value })}
        />
        <TextField
          label={t('toolServers.description')}
          value={draft.description}
          dir="auto"
          onChange={(event) => change({ description: event.target.value })}
        />
        {draft.kind !== 'program' && (
          <TextArea
            label={t('toolServers.headers')}
            hint={t('toolServers.headersHint', { open: '{{', close: '}}' })}
            value={draft.headers}
            rows={2}
            dir="ltr"
            spellCheck={false}
            onChange={(event) => change({ headers: event.target.value })}
          />
        )}
        <TextField
          label={t('toolServers.functions')}
          hint={t('toolServers.functionsHint')}
          value={draft.functions}
          dir="ltr"
          onChange={(event) => change({ functions: event.target.value })}
        />
        <Select
          label={t('toolServers.approval')}
          value={draft.approval}
          options={APPROVALS.map((value) => ({
            value,
            label: t(`toolServers.approvals.${value === '' ? 'default' : value}`),
          }))}
          onChange={(event) => change({ approval: event.target.value as ServerDraft['approval'] })}
        />
      </div>
    </FoldOut>
  )
}

const countTools = (reply: Record<string, unknown>): number | null => {
  const list = reply['specs'] ?? reply['tools']
  if (Array.isArray(list)) return list.length
  const { paths } = reply
  return typeof paths === 'object' && paths !== null ? Object.keys(paths).length : null
}

/** Returns a draft without a sign-in with a key; MCP servers may need another one. */
const withKey = (draft: ServerDraft): ServerDraft =>
  draft.kind === 'openapi' && draft.authType === 'none' ? { ...draft, authType: 'bearer' } : draft

/**
 * Form of a tool server: its URL, authentication and access. It can be tested before it is stored.
 */
export function ServerForm(props: ServerFormProps) {
  const { draft: start, principals, atKey = false, onSave, onClose } = props
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => (atKey ? withKey(start) : start))
  const [grants, setGrants] = useState<AccessGrant[]>(start.rest?.config.access_grants ?? [])
  const [found, setFound] = useState<string | null>(null)
  const change = (values: Partial<ServerDraft>): void => {
    setDraft({ ...draft, ...values })
    setFound(null)
  }
  const saving = useAction(async () => {
    await onSave(draft, grants)
  }, onClose)
  const trying = useAction(async () => {
    const count = countTools(await verifyServer(toInput(draft)))
    setFound(count === null ? t('toolServers.answers') : t('toolServers.found', { count }))
  })
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={
        start.rest
          ? t('toolServers.editTitle', { name: start.name || start.id })
          : t('toolServers.addTitle')
      }
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button busy={trying.busy} onClick={() => void trying.run()}>
            {t('toolServers.try')}
          </Button>
          <Button tone="primary" type="submit" form="tool-server" busy={saving.busy}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id="tool-server" onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
        <FormProblem text={saving.problem ?? trying.problem} />
        <Select
          label={t('toolServers.kind')}
          value={draft.kind}
          options={KINDS.map((value) => ({ value, label: t(`toolServers.kinds.${value}`) }))}
          onChange={(event) => change({ kind: event.target.value as ServerKind })}
        />
        <TextField
          label={t('toolServers.name')}
          value={draft.name}
          required
          dir="auto"
          onChange={(event) => change({ name: event.target.value })}
        />
        {draft.kind === 'program' ? (
          <ProgramFields draft={draft} change={change} />
        ) : (
          <AddressFields draft={draft} change={change} atKey={atKey} />
        )}
        <FurtherFields draft={draft} change={change} />
        <div>
          <p className="mb-1.5 font-medium">{t('toolServers.access')}</p>
          <AccessPicker
            grants={grants}
            loaders={principals}
            canWrite={false}
            onChange={(next) => setGrants([...next])}
          />
        </div>
        <output className="text-small text-muted">{found}</output>
      </form>
    </Dialog>
  )
}
