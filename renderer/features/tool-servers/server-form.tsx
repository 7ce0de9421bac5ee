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
import { fieldsOf } from '../../ui/fields/fields-of.ts'
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
  const field = fieldsOf(draft, change)
  return (
    <>
      <TextField
        label={t('toolServers.command')}
        hint={t('toolServers.commandHint')}
        {...field('command')}
        required
        dir="ltr"
        spellCheck={false}
      />
      <TextArea
        label={t('toolServers.arguments')}
        hint={t('toolServers.perLine')}
        {...field('arguments')}
        rows={3}
        dir="ltr"
        spellCheck={false}
      />
      <TextArea
        label={t('toolServers.environment')}
        hint={t('toolServers.environmentHint')}
        {...field('environment')}
        rows={2}
        dir="ltr"
        spellCheck={false}
      />
    </>
  )
}

function AddressFields({ draft, change, atKey }: PartProps & { atKey: boolean }) {
  const { t } = useTranslation()
  const field = fieldsOf(draft, change)
  const keyFields = useKeyFocus(atKey)
  const needsKey = draft.authType === 'bearer'
  return (
    <>
      <TextField
        label={t('toolServers.url')}
        {...field('url')}
        required
        inputMode="url"
        dir="ltr"
        placeholder="http://127.0.0.1:8200"
      />
      {draft.kind === 'openapi' && (
        <TextField
          label={t('toolServers.path')}
          hint={t('toolServers.pathHint')}
          {...field('path')}
          dir="ltr"
        />
      )}
      <div ref={keyFields} className="flex flex-col gap-4">
        <Select
          label={t('toolServers.auth')}
          {...field('authType')}
          options={AUTH_TYPES.filter(
            (value) => draft.kind === 'mcp' || !value.startsWith('oauth'),
          ).map((value) => ({
            value,
            label: t(`toolServers.authTypes.${value.replace('.', '_') as 'none'}`),
          }))}
        />
        {signsIn(draft) && <SignInFields draft={draft} change={change} />}
        {needsKey && (
          <SecretField label={t('toolServers.key')} {...field('key')} autoComplete="off" />
        )}
      </div>
    </>
  )
}

function FurtherFields({ draft, change }: PartProps) {
  const { t } = useTranslation()
  const field = fieldsOf(draft, change)
  return (
    <FoldOut title={t('toolServers.further')}>
      <div className="mt-2 flex flex-col gap-4">
        <TextField
          label={t('toolServers.id')}
          hint={t('toolServers.idHint')}
          {...field('id')}
          dir="ltr"
          spellCheck={false}
        />
        <TextField label={t('toolServers.description')} {...field('description')} dir="auto" />
        {draft.kind !== 'program' && (
          <TextArea
            label={t('toolServers.headers')}
            hint={t('toolServers.headersHint', { open: '{{', close: '}}' })}
            {...field('headers')}
            rows={2}
            dir="ltr"
            spellCheck={false}
          />
        )}
        <TextField
          label={t('toolServers.functions')}
          hint={t('toolServers.functionsHint')}
          {...field('functions')}
          dir="ltr"
        />
        <Select
          label={t('toolServers.approval')}
          {...field('approval')}
          options={APPROVALS.map((value) => ({
            value,
            label: t(`toolServers.approvals.${value === '' ? 'default' : value}`),
          }))}
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
  const field = fieldsOf(draft, change)
  const saving = useAction(async () => {
    await onSave(draft, grants)
  }, onClose)
  const trying = useAction(async () => {
    const count = countTools(await verifyServer(toInput(draft)))
    setFound(count === null ? t('toolServers.answers') : t('toolServers.found', { count }))
  })
  return (
    <Dialog
      wide
      onClose={onClose}
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
          {...field('kind')}
          options={KINDS.map((value) => ({ value, label: t(`toolServers.kinds.${value}`) }))}
        />
        <TextField label={t('toolServers.name')} {...field('name')} required dir="auto" />
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
