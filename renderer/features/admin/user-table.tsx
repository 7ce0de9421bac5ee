import { ArrowDown, ArrowUp, Check, KeyRound, Pencil, ShieldCheck, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#contract/group.ts'
import type { User } from '#contract/users.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatAge, formatDay } from '../../lib/format-time.ts'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { RoleBadge } from './role-badge.tsx'
import { protectionOf, type UserOrder, type UsersView } from './users-store.ts'

/** Actions on an account. */
export interface UserActions {
  readonly onEdit: (user: User) => void
  readonly onApprove: (user: User) => void
  readonly onResetPassword: (user: User) => void
  readonly onDelete: (user: User) => void
}

function ActionsMenu({
  user,
  ownId,
  actions,
}: {
  user: User
  ownId: string
  actions: UserActions
}) {
  const { t } = useTranslation()
  const protection = protectionOf(user, ownId)
  const isForeignFirst = protection === 'first' && user.id !== ownId
  return (
    <MoreMenu label={t('admin.users.actionsOf', { name: user.name })}>
      <MenuItem icon={<Pencil />} disabled={isForeignFirst} onSelect={() => actions.onEdit(user)}>
        {t('common.edit')}
      </MenuItem>
      <MenuItem
        icon={<KeyRound />}
        disabled={isForeignFirst}
        onSelect={() => actions.onResetPassword(user)}
      >
        {t('admin.users.resetPassword')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 />}
        danger
        disabled={protection !== null}
        onSelect={() => actions.onDelete(user)}
      >
        {t('common.delete')}
      </MenuItem>
      {protection && (
        <p className="max-w-60 px-2 py-1.5 text-small text-muted">
          {t(`admin.users.protected.${protection}`)}
        </p>
      )}
    </MoreMenu>
  )
}

interface HeadProps {
  readonly order: UserOrder
  readonly state: Pick<UsersView, 'order' | 'direction'>
  readonly onSort: (order: UserOrder) => void
  readonly className?: string
  readonly children: ReactNode
}

function Head({ order, state, onSort, className, children }: HeadProps) {
  const isSorted = state.order === order
  const Arrow = state.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (state.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={classNames('px-2 py-1 text-start font-normal', className)}
    >
      <button
        type="button"
        className="inline-flex h-control items-center gap-1 rounded-small px-1 text-small text-muted hover:text-ink pointer-coarse:min-h-11"
        onClick={() => onSort(order)}
      >
        {children}
        <Arrow aria-hidden="true" className={classNames('size-3.5', !isSorted && 'invisible')} />
      </button>
    </th>
  )
}

function LastActive({ user }: { user: User }) {
  const { t } = useTranslation()
  if (user.is_active) {
    return (
      <span className="inline-flex items-center gap-1.5">
        <span
          aria-hidden="true"
          className="size-1.5 rounded-full bg-accent forced-colors:bg-[Highlight]"
        />
        {t('admin.users.activeNow')}
      </span>
    )
  }
  return user.last_active_at <= user.created_at ? t('common.never') : formatAge(user.last_active_at)
}

interface RowProps {
  readonly user: User
  readonly ownId: string
  readonly groupNames: string
  readonly actions: UserActions
}

function Row({ user, ownId, groupNames, actions }: RowProps) {
  const { t } = useTranslation()
  return (
    <tr className="border-t border-line max-sm:first:border-t-0">
      <th scope="row" className="w-full max-w-0 px-3 py-2.5 text-start font-normal">
        <span className="flex items-start gap-3">
          <Avatar name={user.name} id={user.id} picture={user.profile_image_url} />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-x-2">
              <bdi className="min-w-0 truncate font-medium">{user.name}</bdi>
              {user.id === ownId && (
                <span className="shrink-0 text-small text-muted">{t('admin.users.you')}</span>
              )}
              {user.is_first && (
                <ShieldCheck
                  aria-label={t('admin.users.first')}
                  className="size-3.5 shrink-0 text-accent"
                />
              )}
            </span>
            <bdi className="block truncate text-small text-muted">{user.email}</bdi>
            {groupNames && <bdi className="block truncate text-small text-muted">{groupNames}</bdi>}
            <span className="mt-1 flex flex-wrap items-center gap-2 text-small text-muted sm:hidden">
              <RoleBadge role={user.role} />
              <LastActive user={user} />
            </span>
          </span>
        </span>
      </th>
      <td className="px-3 max-sm:hidden">
        <RoleBadge role={user.role} />
      </td>
      <td className="px-3 text-small whitespace-nowrap text-muted max-sm:hidden">
        <LastActive user={user} />
      </td>
      <td className="px-3 text-small whitespace-nowrap text-muted max-lg:hidden">
        {formatDay(user.created_at)}
      </td>
      <td className="py-1 pe-2">
        <span className="flex items-center justify-end gap-1">
          {user.role === 'pending' && (
            <Button
              icon={<Check className="size-4" />}
              className="max-sm:min-w-11 max-sm:px-0"
              aria-label={t('admin.users.approveNamed', { name: user.name })}
              onClick={() => actions.onApprove(user)}
            >
              <span className="max-sm:hidden">{t('admin.users.approve')}</span>
            </Button>
          )}
          <ActionsMenu user={user} ownId={ownId} actions={actions} />
        </span>
      </td>
    </tr>
  )
}

interface UserTableProps {
  readonly state: UsersView & { readonly items: readonly User[]; readonly groups: readonly Group[] }
  readonly ownId: string
  readonly actions: UserActions
  readonly onSort: (order: UserOrder) => void
}

/** Accounts in rows; in narrow windows the columns are shown below the name. */
export function UserTable({ state, ownId, actions, onSort }: UserTableProps) {
  const { t } = useTranslation()
  const nameOf = new Map(state.groups.map(({ id, name }) => [id, name]))
  return (
    <div className="rounded-large border border-line bg-raised">
      <table className="w-full border-collapse">
        <caption className="sr-only">{t('settings.pages.users')}</caption>
        <thead className="max-sm:hidden">
          <tr>
            <Head order="name" state={state} onSort={onSort}>
              {t('admin.users.name')}
            </Head>
            <Head order="role" state={state} onSort={onSort} className="max-sm:hidden">
              {t('admin.users.role')}
            </Head>
            <Head
              order="last_active_at"
              state={state}
              onSort={onSort}
              className="whitespace-nowrap max-sm:hidden"
            >
              {t('admin.users.lastActive')}
            </Head>
            <Head order="created_at" state={state} onSort={onSort} className="max-lg:hidden">
              {t('admin.users.joined')}
            </Head>
            <th scope="col">
              <span className="sr-only">{t('admin.users.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {state.items.map((user) => (
            <Row
              key={user.id}
              user={user}
              ownId={ownId}
              groupNames={(user.group_ids ?? []).flatMap((id) => nameOf.get(id) ?? []).join(', ')}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
