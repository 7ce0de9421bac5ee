import { ChevronRight, Plus, UsersRound } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Group } from '#contract/group.ts'
import type { Permissions } from '#contract/permissions.ts'
import { useAction } from '../../api/use-action.ts'
import type { PrincipalLoaders } from '../../ui/principal-search.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { GroupDetail } from './group-detail.tsx'
import { GroupFields } from './group-fields.tsx'
import { createGroup, type GroupsStore, loadGroups } from './groups-store.ts'
import { LoadState } from './load-state.tsx'
import { countAdded } from './permission-tree.ts'

function CreateDialog({
  store,
  onClose,
  onCreated,
}: {
  store: GroupsStore
  onClose: () => void
  onCreated: (id: string) => void
}) {
  const { t } = useTranslation()
  const formId = useId()
  const [draft, setDraft] = useState({ name: '', description: '' })
  const { busy, problem, handleSubmit } = useAction(
    () => createGroup(store, draft),
    ({ id }) => onCreated(id),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('admin.groups.create')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="primary" type="submit" form={formId} busy={busy} className="h-control">
            {t('admin.groups.create')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={handleSubmit} className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <GroupFields draft={draft} onChange={setDraft} />
      </form>
    </Dialog>
  )
}

function GroupRow({
  group,
  defaults,
  onOpen,
}: {
  group: Group
  defaults: Permissions
  onOpen: () => void
}) {
  const { t } = useTranslation()
  const added = countAdded(group.permissions, defaults)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full items-center gap-3 px-4 py-3 text-start transition-colors duration-(--motion-in) first:rounded-t-large hover:bg-hover focus-visible:-outline-offset-2"
      >
        <UsersRound aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium">{group.name}</bdi>
          {group.description && (
            <bdi className="block truncate text-small text-muted">{group.description}</bdi>
          )}
          <span className="block text-small text-muted">
            {t('admin.groups.memberCount', { count: group.member_count })} ·{' '}
            {t('admin.groups.addedCount', { count: added })}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
      </button>
    </li>
  )
}

/** Groups of people; opening one shows its members and permissions. */
export function GroupsPage({ store, people }: { store: GroupsStore; people: PrincipalLoaders }) {
  const { t } = useTranslation()
  const { groups, defaults, status, problem } = useStore(store)
  const [openId, setOpenId] = useState<string | null>(null)
  const [creating, setCreating] = useState(false)
  useEffect(() => void loadGroups(store), [store])
  const opened = groups.find(({ id }) => id === openId)
  if (opened && defaults) {
    return (
      <GroupDetail
        key={opened.id}
        store={store}
        group={opened}
        defaults={defaults}
        people={people}
        onBack={() => setOpenId((shown) => (shown === opened.id ? null : shown))}
      />
    )
  }
  const create = (
    <Button
      tone="primary"
      className="h-control"
      icon={<Plus className="size-4" />}
      onClick={() => setCreating(true)}
    >
      {t('admin.groups.create')}
    </Button>
  )
  return (
    <PageSection text={t('admin.groups.text')} action={groups.length > 0 && create}>
      <LoadState
        status={status}
        problem={problem}
        title={t('admin.groups.loadFailed')}
        onRetry={() => void loadGroups(store)}
      />
      {status === 'ready' && groups.length === 0 && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<UsersRound />} title={t('admin.groups.none')} action={create}>
            {t('admin.groups.noneHint')}
          </EmptyState>
        </div>
      )}
      {defaults && groups.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised">
          {groups.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              defaults={defaults}
              onOpen={() => setOpenId(group.id)}
            />
          ))}
        </ul>
      )}
      {creating && (
        <CreateDialog
          store={store}
          onClose={() => setCreating(false)}
          onCreated={(id) => {
            setCreating(false)
            setOpenId(id)
          }}
        />
      )}
    </PageSection>
  )
}
