import { ArrowLeft, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#contract/group.ts'
import type { Permissions } from '#contract/permissions.ts'
import { useAction } from '../../api/use-action.ts'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { SaveButton } from '../../ui/controls/save-button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { GroupFields } from './group-fields.tsx'
import { GroupMembers } from './group-members.tsx'
import {
  changeGroup,
  changeGroupPermission,
  type GroupsStore,
  removeGroup,
} from './groups-store.ts'
import { PermissionSwitches } from './permission-switches.tsx'

function NameForm({ store, group }: { store: GroupsStore; group: Group }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState({ name: group.name, description: group.description })
  const isChanged = draft.name.trim() !== group.name || draft.description !== group.description
  const { busy, problem, handleSubmit } = useAction(async () => {
    await changeGroup(store, group.id, draft)
    toast({ text: t('common.saved') })
  })
  return (
    <form onSubmit={handleSubmit} className="mb-8 flex flex-col gap-4">
      <FormProblem text={problem} />
      <GroupFields draft={draft} onChange={setDraft} />
      <SaveButton busy={busy} disabled={!isChanged || !draft.name.trim()}>
        {t('common.save')}
      </SaveButton>
    </form>
  )
}

interface GroupDetailProps {
  readonly store: GroupsStore
  readonly group: Group
  readonly defaults: Permissions
  readonly people: PrincipalLoaders
  readonly onBack: () => void
}

/** One group: its name, its members and the permissions it adds to the defaults. */
export function GroupDetail({ store, group, defaults, people, onBack }: GroupDetailProps) {
  const { t } = useTranslation()
  const [deleting, setDeleting] = useState(false)
  const remove = async (): Promise<void> => {
    setDeleting(false)
    await removeGroup(store, group.id)
    toast({ text: t('admin.groups.deleted', { name: group.name }) })
    onBack()
  }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-2">
        <Button
          tone="quiet"
          icon={<ArrowLeft className="size-4 rtl:-scale-x-100" />}
          onClick={onBack}
          className="-ms-3"
        >
          {t('admin.groups.all')}
        </Button>
        <Button
          icon={<Trash2 className="size-4" />}
          className="text-danger!"
          onClick={() => setDeleting(true)}
        >
          {t('admin.groups.delete')}
        </Button>
      </div>
      <NameForm store={store} group={group} />
      <div className="mb-10">
        <GroupMembers store={store} groupId={group.id} people={people} />
      </div>
      <PageSection title={t('settings.pages.permissions')} text={t('admin.groups.permissionsText')}>
        <PermissionSwitches
          defaults={defaults}
          added={group.permissions}
          onChange={(permission, isOn) => {
            changeGroupPermission(store, group, permission, isOn).catch(toastError)
          }}
        />
      </PageSection>
      <ConfirmDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('admin.groups.deleteTitle', { name: group.name })}
        description={t('admin.groups.deleteText')}
        confirmLabel={t('admin.groups.delete')}
        danger
        onConfirm={() => {
          remove().catch(toastError)
        }}
      />
    </>
  )
}
