import '../../lib/strings/admin.ts'
import { UserPlus, UsersRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { User } from '#contract/users.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { DeletionsNote } from '../../ui/dialogs/deletions-note.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ModelsLink, PageLink } from '../../ui/settings/page-link.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { InvitationDialog, type Invited } from './invitation-dialog.tsx'
import { PasswordDialog, UserDialog } from './user-dialogs.tsx'
import { UserTable } from './user-table.tsx'
import {
  changeUser,
  removeUser,
  showUsers,
  sortUsers,
  USERS_PER_PAGE,
  type UsersStore,
} from './users-store.ts'

const WAIT = 200
const DELETIONS = ['account', 'files', 'file', 'chats', 'channel'] as const

/** Calls the action shortly after the last keystroke. */
function useDelayed(action: (text: string) => void): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (text) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => action(text), WAIT)
  }
}

function Pages({ store }: { store: UsersStore }) {
  const { t } = useTranslation()
  const { page, total, items: users } = useStore(store)
  if (total <= USERS_PER_PAGE) return null
  const first = (page - 1) * USERS_PER_PAGE
  return (
    <nav
      aria-label={t('admin.users.pages')}
      className="mt-3 flex flex-wrap items-center justify-between gap-2"
    >
      <p className="text-small text-muted">
        {t('admin.users.range', { from: first + 1, to: first + users.length, total })}
      </p>
      <div className="flex gap-2">
        <Button disabled={page === 1} onClick={() => void showUsers(store, { page: page - 1 })}>
          {t('admin.users.previous')}
        </Button>
        <Button
          disabled={first + users.length >= total}
          onClick={() => void showUsers(store, { page: page + 1 })}
        >
          {t('common.next')}
        </Button>
      </div>
    </nav>
  )
}

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'invited'; readonly invited: Invited }
  | { readonly kind: 'edit' | 'password' | 'delete'; readonly user: User }
  | null

interface DialogsProps {
  readonly store: UsersStore
  readonly open: Open
  readonly onClose: () => void
  readonly onInvited: (invited: Invited) => void
}

function Dialogs({ store, open, onClose, onInvited }: DialogsProps) {
  const { t } = useTranslation()
  const remove = async ({ id, name }: User): Promise<void> => {
    onClose()
    try {
      await removeUser(store, id)
      toast({ text: t('admin.users.deleted', { name }) })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  if (open?.kind === 'add')
    return (
      <UserDialog
        store={store}
        user={null}
        fixedRole={false}
        onClose={onClose}
        onInvited={onInvited}
      />
    )
  if (open?.kind === 'invited') return <InvitationDialog invited={open.invited} onClose={onClose} />
  if (open?.kind === 'edit') {
    return (
      <UserDialog
        store={store}
        user={open.user}
        fixedRole={open.user.is_first === true}
        onClose={onClose}
      />
    )
  }
  if (open?.kind === 'password')
    return <PasswordDialog store={store} user={open.user} onClose={onClose} />
  return (
    <ConfirmDialog
      open={open !== null}
      onClose={onClose}
      title={t('admin.users.deleteTitle', { name: open?.user.name ?? '' })}
      description={t('admin.users.deleteText')}
      confirmLabel={t('admin.users.delete')}
      danger
      onConfirm={() => open && void remove(open.user)}
    />
  )
}

interface UsersPageProps {
  readonly store: UsersStore
  readonly ownId: string
}

/** All accounts of the gateway. */
export function UsersPage({ store, ownId }: UsersPageProps) {
  const { t } = useTranslation()
  const state = useStore(store)
  const [query, setQuery] = useState(state.query)
  const [open, setOpen] = useState<Open>(null)
  const search = useDelayed((text) => void showUsers(store, { query: text }))
  useEffect(() => void store.load(), [store])
  const approve = (user: User): void => {
    changeUser(store, user.id, { role: 'user' }).then(
      () => toast({ text: t('admin.users.approved', { name: user.name }) }),
      toastError,
    )
  }
  return (
    <>
      <ListPage
        text={
          <>
            {t('admin.users.text')} {t('admin.users.rights')} <PageLink page="permissions" />
            {' · '}
            <PageLink page="groups" />
            {' · '}
            <ModelsLink />
          </>
        }
        load={{
          status: state.status,
          problem: state.problem,
          failedTitle: t('admin.users.loadFailed'),
          onRetry: () => void store.load(),
        }}
        loadingKind="people"
        total={state.total}
        shown={state.items.length}
        isNarrowed={query !== '' || state.query !== ''}
        primary={{
          label: t('admin.users.add'),
          icon: <UserPlus className="size-4" />,
          onSelect: () => setOpen({ kind: 'add' }),
        }}
        search={{
          label: t('admin.users.search'),
          value: query,
          onChange: (text) => {
            setQuery(text)
            search(text)
          },
        }}
        empty={{
          icon: <UsersRound />,
          title: t('admin.users.nobody'),
          text: t('admin.users.nobodyHint'),
        }}
        noMatch={t('admin.users.nobody')}
        noMatchHint={t('admin.users.nobodyHint')}
      >
        <UserTable
          state={state}
          ownId={ownId}
          onSort={(order) => void sortUsers(store, order)}
          actions={{
            onEdit: (user) => setOpen({ kind: 'edit', user }),
            onResetPassword: (user) => setOpen({ kind: 'password', user }),
            onDelete: (user) => setOpen({ kind: 'delete', user }),
            onApprove: approve,
          }}
        />
        <Pages store={store} />
      </ListPage>
      <DeletionsNote turn={state.items} kinds={DELETIONS} />
      <Dialogs
        store={store}
        open={open}
        onClose={() => setOpen(null)}
        onInvited={(invited) => setOpen({ kind: 'invited', invited })}
      />
    </>
  )
}
