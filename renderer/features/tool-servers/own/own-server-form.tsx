import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../api/use-action.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../../ui/controls/select.tsx'
import { SecretField, TextField } from '../../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../../ui/fields/fields-of.ts'
import { readKey } from './keys.ts'
import { DEFAULT_PATH, type OwnServer, toAddress } from './own-server.ts'
import { useKeyFocus } from '../use-key-focus.ts'
import { newId } from '../../../lib/new-id.ts'

interface OwnServerFormProps {
  /** Server to edit; null for a new one. */
  readonly server: OwnServer | null
  /** True if the form opens at its key. */
  readonly atKey: boolean
  readonly onSave: (server: OwnServer, key: string) => Promise<void>
  readonly onClose: () => void
}

const newServer = (): OwnServer => ({
  id: newId(),
  name: '',
  url: '',
  path: DEFAULT_PATH,
  authType: 'none',
  isEnabled: true,
  stored: {},
})

/** Returns the server with a key as its sign-in. */
const withKey = (server: OwnServer): OwnServer => ({ ...server, authType: 'bearer' })

/** Form for the URL and authentication of the user's own tool server. */
export function OwnServerForm({ server, atKey, onSave, onClose }: OwnServerFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => {
    const start = server ?? newServer()
    return atKey ? withKey(start) : start
  })
  const [key, setKey] = useState(() => (server ? readKey(server.id) : ''))
  const keyFields = useKeyFocus(atKey)
  const change = (values: Partial<OwnServer>): void => setDraft({ ...draft, ...values })
  const field = fieldsOf(draft, change)
  const saving = useAction(async () => {
    const url = toAddress(draft.url)
    if (url === null) throw new Error(t('toolServers.own.badAddress'))
    // A page's policy cannot contain an IPv6 address.
    if (new URL(url).hostname.startsWith('[')) throw new Error(t('toolServers.own.numberedAddress'))
    const name = draft.name.trim() || new URL(url).host
    await onSave(
      { ...draft, url, name, path: draft.path.trim() || DEFAULT_PATH },
      draft.authType === 'none' ? '' : key.trim(),
    )
  }, onClose)
  return (
    <FormDialog
      title={server ? t('toolServers.editTitle', { name: server.name }) : t('toolServers.addTitle')}
      submission={saving}
      onClose={onClose}
    >
      <TextField
        label={t('toolServers.url')}
        hint={t('toolServers.own.urlHint')}
        {...field('url')}
        required
        inputMode="url"
        dir="ltr"
        placeholder="http://127.0.0.1:8200"
      />
      <TextField label={t('toolServers.name')} {...field('name')} dir="auto" />
      <TextField
        label={t('toolServers.path')}
        hint={t('toolServers.pathHint')}
        {...field('path')}
        dir="ltr"
        spellCheck={false}
      />
      <div ref={keyFields} className="flex flex-col gap-4">
        <Select
          label={t('toolServers.auth')}
          {...field('authType')}
          options={(['none', 'bearer'] as const).map((value) => ({
            value,
            label: t(`toolServers.authTypes.${value}`),
          }))}
        />
        {draft.authType === 'bearer' && (
          <SecretField
            label={t('toolServers.key')}
            hint={t('toolServers.own.keyHint')}
            value={key}
            autoComplete="off"
            onChange={setKey}
          />
        )}
      </div>
    </FormDialog>
  )
}
