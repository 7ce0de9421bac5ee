import { WandSparkles } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { User } from '#contract/users.ts'
import { useAction } from '../../api/use-action.ts'
import { makePassword } from '../../lib/make-password.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { SecretField, TextField } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import type { Invited } from './invitation-dialog.tsx'
import { addUser, changeUser, setGroups, type UsersStore } from './users-store.ts'

const SHORTEST = 8
const ROLES = ['user', 'admin', 'pending'] as const

interface NewPasswordProps {
  readonly value: string
  /** True if it is readable from the beginning, as a generated one that is handed over. */
  readonly isShown?: boolean
  readonly onChange: (password: string) => void
}

/** A password for another user: typed, or generated here and copied. */
function NewPassword({ value, isShown, onChange }: NewPasswordProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-2">
      <SecretField
        label={t('auth.password')}
        hint={t(isShown ? 'admin.users.firstPasswordHint' : 'admin.users.passwordHint')}
        isShown={isShown}
        autoComplete="new-password"
        required
        minLength={SHORTEST}
        value={value}
        onChange={onChange}
      />
      <div className="flex flex-wrap gap-2">
        <Button icon={<WandSparkles className="size-4" />} onClick={() => onChange(makePassword())}>
          {t('admin.users.makePassword')}
        </Button>
        {value && <CopyButton text={value} label={t('admin.users.copyPassword')} />}
      </div>
    </div>
  )
}

function GroupChoice({
  store,
  chosen,
  onChange,
}: {
  store: UsersStore
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}) {
  const { t } = useTranslation()
  const groups = useStore(store, (state) => state.groups)
  if (groups.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('settings.pages.groups')}</legend>
      <div className="flex max-h-44 flex-col overflow-y-auto rounded-medium border border-line px-2 py-1">
        {groups.map(({ id, name }) => (
          <label key={id} className="flex min-h-8 items-center gap-2">
            <Checkbox
              checked={chosen.includes(id)}
              onChange={(checked) =>
                onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            <bdi className="min-w-0 truncate">{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const draftOf = (user: User | null) => ({
  name: user?.name ?? '',
  email: user?.email ?? '',
  role: user?.role ?? ('user' as const),
  password: user ? '' : makePassword(),
  groups: user?.group_ids ?? [],
})

interface UserDialogProps {
  readonly store: UsersStore
  /** Account to edit; null adds one. */
  readonly user: User | null
  /** True if the role cannot be changed. */
  readonly fixedRole: boolean
  readonly onClose: () => void
  /** Called with a new account instead of `onClose`. */
  readonly onInvited?: (invited: Invited) => void
}

/** Adds an account for another user, or edits one. */
export function UserDialog({ store, user, fixedRole, onClose, onInvited }: UserDialogProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(user))
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part })
  const submission = useAction(
    async () => {
      const { groups, password, ...fields } = draft
      if (user) {
        const { role, ...others } = fields
        await changeUser(store, user.id, role === user.role ? others : fields)
        await setGroups(store, user, groups)
        toast({ text: t('common.saved') })
      } else await addUser(store, { ...fields, password })
      return draft
    },
    user ? onClose : onInvited,
  )
  return (
    <FormDialog
      title={user ? t('admin.users.editTitle', { name: user.name }) : t('admin.users.add')}
      description={user ? undefined : t('admin.users.addText')}
      submission={submission}
      submitLabel={user ? t('common.save') : t('admin.users.add')}
      onClose={onClose}
    >
      <TextField
        label={t('auth.name')}
        required
        maxLength={200}
        autoComplete="off"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label={t('auth.email')}
        type="email"
        required
        autoComplete="off"
        value={draft.email}
        onChange={(email) => change({ email })}
      />
      <Select
        label={t('admin.users.role')}
        hint={
          fixedRole ? t('admin.users.protected.first') : t(`admin.users.roleHints.${draft.role}`)
        }
        disabled={fixedRole}
        value={draft.role}
        onChange={(value) => change({ role: value as User['role'] })}
        options={ROLES.map((role) => ({ value: role, label: t(`admin.users.roles.${role}`) }))}
      />
      {user && (
        <GroupChoice
          store={store}
          chosen={draft.groups}
          onChange={(groups) => change({ groups })}
        />
      )}
      {!user && (
        <NewPassword value={draft.password} isShown onChange={(password) => change({ password })} />
      )}
    </FormDialog>
  )
}

/** Sets a new password for an account, which invalidates the old one and ends its sessions. */
export function PasswordDialog({
  store,
  user,
  onClose,
}: {
  store: UsersStore
  user: User
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const submission = useAction(async () => {
    await changeUser(store, user.id, { password })
    toast({ text: t('admin.users.passwordReset', { name: user.name }) })
  }, onClose)
  return (
    <FormDialog
      title={t('admin.users.resetTitle', { name: user.name })}
      description={t('admin.users.resetText')}
      submission={submission}
      submitLabel={t('admin.users.resetPassword')}
      onClose={onClose}
    >
      <NewPassword value={password} onChange={setPassword} />
    </FormDialog>
  )
}
