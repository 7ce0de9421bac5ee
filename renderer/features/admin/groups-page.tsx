import '../../lib/strings/admin.ts'
import { ChevronRight, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Group } from '#contract/group.ts'
import type { Permissions } from '#contract/permissions.ts'
import { useAction } from '../../api/use-action.ts'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { ModelsLink } from '../../ui/settings/page-link.tsx'
import { GroupDetail } from './group-detail.tsx'
import { GroupFields } from './group-fields.tsx'
import { createGroup, type GroupsStore } from './groups-store.ts'
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
  const [draft, setDraft] = useState({ name: '', description: '' })
  const submission = useAction(
    () => createGroup(store, draft),
    ({ id }) => onCreated(id),
  )
  return (
    <FormDialog
      title={t('admin.groups.create')}
      submission={submission}
      submitLabel={t('admin.groups.create')}
      onClose={onClose}
    >
      <GroupFields draft={draft} onChange={setDraft} />
    </FormDialog>
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
    <ListRow
      icon={<UsersRound />}
      name={group.name}
      onOpen={onOpen}
      description={group.description}
      facts={[
        t('admin.groups.memberCount', { count: group.member_count }),
        added > 0 && t('admin.groups.addedCount', { count: added }),
      ]}
      controls={<ChevronRight className="pointer-events-none size-4 text-muted rtl:-scale-x-100" />}
    />
  )
}

const ORDERS = {
  name: byText(({ name }: Group) => name),
  newest: (left: Group, right: Group) => right.created_at - left.created_at,
}

/** Groups of users; opening one shows its members and permissions. */
export function GroupsPage({ store, people }: { store: GroupsStore; people: PrincipalLoaders }) {
  const { t } = useTranslation()
  const { items, defaults } = useStore(store)
  const [openId, setOpenId] = useState<string | null>(null)
  const [creating, setCreating] = useState(false)
  const list = useListPage({
    store,
    textOf,
    orders: ORDERS,
    labels: { failed: t('admin.groups.loadFailed'), search: t('admin.groups.search') },
  })
  const opened = items.find(({ id }) => id === openId)
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
  return (
    <>
      <ListPage
        {...list.page}
        text={
          <>
            {t('admin.groups.text')} {t('admin.modelsSetAt')} <ModelsLink />
          </>
        }
        primary={{ label: t('admin.groups.create'), onSelect: () => setCreating(true) }}
        empty={{
          icon: <UsersRound />,
          title: t('admin.groups.none'),
          text: t('admin.groups.noneHint'),
        }}
        noMatch={t('admin.groups.noMatch')}
      >
        {defaults && (
          <Rows label={t('settings.pages.groups')}>
            {list.shown.map((group) => (
              <GroupRow
                key={group.id}
                group={group}
                defaults={defaults}
                onOpen={() => setOpenId(group.id)}
              />
            ))}
          </Rows>
        )}
      </ListPage>
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
    </>
  )
}

const textOf = ({ name, description }: Group): string => `${name} ${description}`
