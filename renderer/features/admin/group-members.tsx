import { Plus, UserRound, X } from 'lucide-react'
import { useCallback, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '#contract/users.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import { PrincipalSearch, type PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { addMember, type GroupsStore, listMembers, removeMember } from './groups-store.ts'

interface GroupMembersProps {
  readonly store: GroupsStore
  readonly groupId: string
  /** Finds users, not groups. */
  readonly people: PrincipalLoaders
}

/** Members of a group; a removal can be undone from its notice. */
export function GroupMembers({ store, groupId, people }: GroupMembersProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const [members, setMembers] = useState<readonly User[] | null>(null)
  const [adding, setAdding] = useState(false)
  const load = useCallback(() => listMembers(groupId).then(setMembers), [groupId])
  useEffect(() => {
    load().catch(toastError)
  }, [load])
  const add = (id: string): void => {
    setAdding(false)
    addMember(store, groupId, id).then(load).catch(toastError)
  }
  const remove = async ({ id, name }: User): Promise<void> => {
    await removeMember(store, groupId, id)
    await load()
    toast({
      text: t('admin.groups.memberRemoved', { name }),
      action: { label: t('common.undo'), onSelect: () => add(id) },
    })
  }
  return (
    <section aria-labelledby={titleId}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id={titleId} className="text-head-1 font-semibold">
          {t('admin.groups.members')}
        </h2>
        <Popover
          open={adding}
          onOpenChange={setAdding}
          align="end"
          label={t('admin.groups.addMember')}
          className="w-80"
          trigger={
            <Button icon={<Plus className="size-4" />}>{t('admin.groups.addMember')}</Button>
          }
        >
          <PrincipalSearch loaders={people} onChoose={({ id }) => add(id)} />
        </Popover>
      </div>
      {members?.length === 0 && <p className="text-muted">{t('admin.groups.noMembers')}</p>}
      {members && members.length > 0 && (
        <ul className="divide-y divide-line rounded-large border border-line bg-raised">
          {members.map((member) => (
            <li key={member.id} className="flex min-h-11 items-center gap-3 ps-4 pe-2">
              <UserRound className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 py-1.5">
                <bdi className="block truncate">{member.name}</bdi>
                <bdi className="block truncate text-small text-muted">{member.email}</bdi>
              </span>
              <IconButton
                label={t('admin.groups.removeMember', { name: member.name })}
                icon={<X />}
                onClick={() => {
                  remove(member).catch(toastError)
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
