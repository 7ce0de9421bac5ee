import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import type { OpenChannel } from '#contract/channels.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { ChannelAccess, grantsToAll } from './channel-access.tsx'
import { readChannel } from './room.ts'
import { useRoom, useRoomState } from './room-view.ts'

const toGrant = ({ principal_type, principal_id, permission }: AccessGrant): AccessGrant => ({
  principal_type,
  principal_id,
  permission,
})

function SettingsForm({ channel, onClose }: { channel: OpenChannel; onClose: () => void }) {
  const { t } = useTranslation()
  const { room, people } = useRoom()
  const [name, setName] = useState(channel.name)
  const [description, setDescription] = useState(channel.description ?? '')
  const [isPrivate, setPrivate] = useState(channel.is_private)
  const [grants, setGrants] = useState<readonly AccessGrant[]>(channel.access_grants.map(toGrant))
  const [isTried, setTried] = useState(false)
  const isPublic = channel.type === null
  const nameProblem =
    channel.type !== 'dm' && name.trim() === '' ? t('channels.create.nameMissing') : null
  const saving = useAction(
    () =>
      call(endpoints.channels.update, {
        params: { channel_id: channel.id },
        body: {
          name: name.trim(),
          description: description.trim() || null,
          data: channel.data,
          meta: channel.meta,
          is_private: isPrivate,
          ...(isPublic && {
            access_grants: isPrivate
              ? grants.filter(({ principal_id: id }) => id !== '*')
              : [...grants],
          }),
        },
      }),
    () => {
      void readChannel(room)
      toast({ text: t('common.saved') })
      onClose()
    },
  )
  const changePrivate = (next: boolean): void => {
    setPrivate(next)
    if (!next && !grants.some(({ principal_id: id }) => id === '*'))
      setGrants([...grantsToAll('write'), ...grants])
  }
  return (
    <FormDialog
      wide
      title={t('channels.settings.title')}
      noValidate
      submission={{
        ...saving,
        handleSubmit: (event) => {
          event.preventDefault()
          setTried(true)
          if (nameProblem === null) void saving.run()
        },
      }}
      onClose={onClose}
    >
      <TextField
        label={t('channels.create.name')}
        data-first-focus=""
        value={name}
        maxLength={200}
        autoComplete="off"
        error={isTried ? nameProblem : null}
        onChange={setName}
      />
      <TextArea
        label={t('channels.create.description')}
        hint={t('channels.create.descriptionHint')}
        rows={2}
        maxLength={2000}
        value={description}
        onChange={setDescription}
      />
      {isPublic && (
        <>
          <Switch
            label={t('channels.settings.private')}
            hint={t('channels.settings.privateHint')}
            checked={isPrivate}
            onChange={changePrivate}
          />
          <ChannelAccess
            grants={grants}
            isPrivate={isPrivate}
            loaders={people}
            onChange={setGrants}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Name, purpose and access of a channel, for its managers. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const channel = useRoomState((state) => state.channel)
  return channel && <SettingsForm channel={channel} onClose={onClose} />
}
