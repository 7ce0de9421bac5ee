import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LdapServer } from '#contract/ldap.ts'
import { call, endpoints } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { Select } from '../../../ui/controls/select.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { SecretField, TextField } from '../../../ui/fields/text-field.tsx'
import { toast } from '../../../ui/floating/toast.tsx'
import {
  isSame,
  SECURITIES,
  toDraft,
  toServer,
  type DirectoryDraft,
  type Security,
} from './directory-draft.ts'

interface PartProps {
  readonly draft: DirectoryDraft
  readonly onChange: (change: Partial<DirectoryDraft>) => void
}

type TextKey = Exclude<keyof DirectoryDraft, 'security' | 'validate_cert'>

/** Returns the props of a text field for one part of the draft. */
const bind = ({ draft, onChange }: PartProps, key: TextKey) => ({
  value: draft[key],
  spellCheck: false,
  autoCapitalize: 'off',
  onChange: (text: string) => onChange({ [key]: text }),
})

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 text-head-1 font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}

const Warning = ({ text }: { text: string }) => (
  <p className="rounded-medium bg-warning-soft px-3 py-2 text-ui text-warning">{text}</p>
)

/** Host of the directory and encryption of the connection. */
function ServerPart(props: PartProps) {
  const { t } = useTranslation()
  const { draft, onChange } = props
  const isClear = draft.security === 'none'
  return (
    <Part title={t('admin.directory.server')}>
      <TextField
        label={t('admin.directory.label')}
        required
        maxLength={100}
        {...bind(props, 'label')}
      />
      <div className="grid gap-4 sm:grid-cols-[1fr_7rem]">
        <TextField
          label={t('admin.directory.host')}
          required
          maxLength={253}
          {...bind(props, 'host')}
        />
        <TextField
          label={t('admin.directory.port')}
          type="number"
          min={1}
          max={65_535}
          required
          {...bind(props, 'port')}
        />
      </div>
      <Select
        label={t('admin.directory.security')}
        options={SECURITIES.map((value) => ({
          value,
          label: t(`admin.directory.securities.${value}`),
        }))}
        value={draft.security}
        onChange={(value) => onChange({ security: value as Security })}
      />
      {isClear && <Warning text={t('admin.directory.clear')} />}
      {!isClear && (
        <>
          <TextField
            label={t('admin.directory.certificate')}
            hint={t('admin.directory.certificateHint')}
            maxLength={4096}
            {...bind(props, 'certificate_path')}
          />
          <Switch
            label={t('admin.directory.validate')}
            checked={draft.validate_cert}
            onChange={(validate_cert) => onChange({ validate_cert })}
          />
          {!draft.validate_cert && <Warning text={t('admin.directory.unchecked')} />}
        </>
      )}
    </Part>
  )
}

/** Settings for the accounts that are found, and the account that searches for them. */
function PeoplePart(props: PartProps) {
  const { t } = useTranslation()
  return (
    <Part title={t('admin.directory.people')}>
      <TextField
        label={t('admin.directory.base')}
        placeholder={t('admin.directory.basePlaceholder')}
        required
        maxLength={1000}
        {...bind(props, 'search_base')}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={t('admin.directory.username')}
          hint={t('admin.directory.usernameHint')}
          required
          maxLength={100}
          {...bind(props, 'attribute_for_username')}
        />
        <TextField
          label={t('admin.directory.mail')}
          required
          maxLength={100}
          {...bind(props, 'attribute_for_mail')}
        />
      </div>
      <TextField
        label={t('admin.directory.filter')}
        hint={<span className="wrap-anywhere">{t('admin.directory.filterHint')}</span>}
        maxLength={4000}
        {...bind(props, 'search_filters')}
      />
      <TextField
        label={t('admin.directory.searcher')}
        hint={t('admin.directory.searcherHint')}
        maxLength={1000}
        {...bind(props, 'app_dn')}
      />
      <SecretField
        label={t('admin.directory.searcherPassword')}
        autoComplete="off"
        maxLength={1024}
        {...bind(props, 'app_dn_password')}
      />
    </Part>
  )
}

const MOST_COUNTED = 100

/** Settings of the directory; they can be tested before saving. */
export function DirectoryForm({ start, onSaved }: { start: LdapServer; onSaved: () => void }) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(() => toDraft(start))
  const [draft, setDraft] = useState(stored)
  const [entries, setEntries] = useState<number | null>(null)
  const saving = useAction(async () => {
    const saved = toDraft(await call(endpoints.ldap.updateServer, { body: toServer(draft) }))
    setStored(saved)
    // Text typed meanwhile is kept.
    setDraft((shown) => (shown === draft ? saved : shown))
    toast({ text: t('common.saved') })
    onSaved()
  })
  const trying = useAction(async () => {
    setEntries(null)
    setEntries((await call(endpoints.ldap.verify, { body: toServer(draft) })).entries)
  })
  const handleChange = (change: Partial<DirectoryDraft>): void => {
    setDraft({ ...draft, ...change })
    setEntries(null)
  }
  const found =
    entries === null
      ? ''
      : entries === 0
        ? t('admin.directory.foundNone')
        : entries >= MOST_COUNTED
          ? t('admin.directory.foundMany')
          : t('admin.directory.found', { count: entries })
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-8">
      <ServerPart draft={draft} onChange={handleChange} />
      <PeoplePart draft={draft} onChange={handleChange} />
      <FormProblem text={saving.problem ?? trying.problem} />
      <output className={found || trying.busy ? 'text-ui text-muted' : 'sr-only'}>
        {trying.busy ? t('admin.directory.trying') : found}
      </output>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={saving.busy} disabled={isSame(draft, stored)}>
          {t('common.save')}
        </Button>
        <Button
          busy={trying.busy}
          disabled={draft.host === '' || draft.search_base === ''}
          onClick={() => void trying.run()}
        >
          {t('admin.directory.try')}
        </Button>
      </div>
    </form>
  )
}
