import { MessageCircle, Plus, ShieldCheck, ShieldOff, UserMinus } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelMemberPerson } from '#contract/channels.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import { type Principal, PrincipalSearch } from '../../ui/access/principal-search.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { channelName } from './channel-name.ts'
import { mayManage, useRoom, useRoomState } from './room-view.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'

const PAGE = 30
const WAIT = 180

interface Found {
  readonly users: readonly ChannelMemberPerson[]
  readonly total: number
  readonly page: number
}

/** Returns members whose names match a query, page by page; reloaded when members join or leave. */
function useMembers(query: string) {
  const { room } = useRoom()
  const version = useRoomState((state) => state.membersVersion)
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useCallback(
    async (page: number, signal?: AbortSignal): Promise<void> => {
      try {
        const input = {
          params: { channel_id: room.channelId },
          query: {
            query: query.trim() || undefined,
            page,
            order_by: 'name' as const,
            direction: 'asc' as const,
          },
        }
        const { users, total } = await call(endpoints.channels.members, input, { signal })
        setProblem(null)
        setFound((before) => ({
          users: page === 1 ? users : [...(before?.users ?? []), ...users],
          total,
          page,
        }))
      } catch (thrown) {
        if (!isAborted(thrown)) setProblem(toSentence(thrown))
      }
    },
    [room.channelId, query],
  )
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => void read(1, abort.signal), query ? WAIT : 0)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [read, query, version])
  return {
    found,
    problem,
    reload: () => void read(1),
    more: () => void read((found?.page ?? 0) + 1),
  }
}

/**
 * Result of the last action, shown in the dialog itself, since toasts are unreachable behind it.
 */
interface Done {
  readonly text: string
  readonly undo?: () => void
}

interface MemberProps {
  readonly member: ChannelMemberPerson
  readonly onChanged: (done?: Done) => void
}

function Member({ member, onChanged }: MemberProps) {
  const { t } = useTranslation()
  const { room, me, writeTo } = useRoom()
  const manage = useRoomState(mayManage)
  const type = useRoomState(({ channel }) => channel?.type ?? null)
  const { id, name, email } = member
  const params = { channel_id: room.channelId }
  const isSelf = id === me.id
  const canChange = manage && type !== 'dm'
  const put = (body: { role?: 'manager' | null } = {}): void => {
    call(endpoints.channels.addMembers, { params, body: { user_ids: [id], ...body } }).then(
      () => onChanged(),
      tellFailure('channels.failed.member'),
    )
  }
  const remove = (): void => {
    call(endpoints.channels.removeMembers, { params, body: { user_ids: [id] } }).then(
      () => onChanged({ text: t('channels.members.removed', { name }), undo: () => put() }),
      tellFailure('channels.failed.member'),
    )
  }
  return (
    <li className="flex min-h-12 items-center gap-3 ps-3 pe-1.5">
      <span className="relative">
        <Avatar size="medium" name={name} id={id} picture={member.profile_image_url} />
        {member.is_active && (
          <span
            aria-hidden="true"
            className="absolute -end-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-raised bg-accent"
          />
        )}
      </span>
      <span className="min-w-0 flex-1 py-1">
        <span className="flex items-center gap-2">
          <bdi className="min-w-0 truncate">{name}</bdi>
          {isSelf && <span className="text-small text-muted">{t('channels.members.you')}</span>}
          {member.is_manager && <Badge tone="accent">{t('channels.members.manager')}</Badge>}
          {member.is_active && <span className="sr-only">{t('channels.members.active')}</span>}
        </span>
        {email && <bdi className="block truncate text-small text-muted">{email}</bdi>}
      </span>
      {!isSelf && (
        <MoreMenu label={t('channels.members.actions', { name })}>
          <MenuItem icon={<MessageCircle />} onSelect={() => writeTo(id)}>
            {t('channels.members.write')}
          </MenuItem>
          {canChange && type === 'group' && (
            <MenuItem
              icon={member.is_manager ? <ShieldOff /> : <ShieldCheck />}
              onSelect={() => put({ role: member.is_manager ? null : 'manager' })}
            >
              {t(member.is_manager ? 'channels.members.unmanage' : 'channels.members.manage')}
            </MenuItem>
          )}
          {canChange && type === 'group' && (
            <MenuItem icon={<UserMinus />} danger onSelect={remove}>
              {t('channels.members.remove')}
            </MenuItem>
          )}
        </MoreMenu>
      )}
    </li>
  )
}

function AddMembers({ onAdded }: { onAdded: (done: Done) => void }) {
  const { t } = useTranslation()
  const { room, people } = useRoom()
  const [open, setOpen] = useState(false)
  const add = ({ type, id, name }: Principal): void => {
    setOpen(false)
    const body = type === 'group' ? { group_ids: [id] } : { user_ids: [id] }
    call(endpoints.channels.addMembers, { params: { channel_id: room.channelId }, body }).then(
      (added) => {
        onAdded({
          text:
            added.length === 0
              ? t('channels.members.inAlready', { name })
              : t('channels.members.added', { count: added.length }),
        })
      },
      tellFailure('channels.failed.member'),
    )
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="end"
      label={t('channels.members.add')}
      className="w-80"
      trigger={<Button icon={<Plus className="size-4" />}>{t('channels.members.add')}</Button>}
    >
      <PrincipalSearch loaders={people} onChoose={add} />
    </Popover>
  )
}

/** Members of a channel, which its managers can change. */
export function MembersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { me } = useRoom()
  const channel = useRoomState((state) => state.channel)
  const manage = useRoomState(mayManage)
  const [query, setQuery] = useState('')
  const { found, problem, reload, more } = useMembers(query)
  const [done, setDone] = useState<Done | null>(null)
  const handleChange = (next?: Done): void => {
    setDone(next ?? null)
    reload()
  }
  if (!channel) return null
  const isPublic = channel.type === null
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t('channels.members.title', { name: channelName(channel, me.id) })}
      description={t(
        isPublic
          ? 'channels.members.textPublic'
          : channel.type === 'dm'
            ? 'channels.members.textDm'
            : 'channels.members.text',
      )}
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <SearchBox label={t('channels.members.search')} value={query} onChange={setQuery} />
          </div>
          {manage && channel.type === 'group' && <AddMembers onAdded={handleChange} />}
        </div>
        <FormProblem text={problem} />
        <output
          className={
            done
              ? 'flex min-h-9 items-center gap-2 rounded-medium bg-accent-soft ps-3 pe-1'
              : 'sr-only'
          }
        >
          {done && <span className="min-w-0 flex-1">{done.text}</span>}
          {done?.undo && (
            <Button tone="quiet" onClick={done.undo}>
              {t('common.undo')}
            </Button>
          )}
        </output>
        {!found && problem === null && <PageWait shape="lines" />}
        {found && (
          <>
            <output className="text-small text-muted">
              {t('channels.members.count', { count: found.total })}
            </output>
            <ul
              aria-label={t('channels.header.members')}
              className="divide-y divide-line rounded-large border border-line"
            >
              {found.users.map((member) => (
                <Member key={member.id} member={member} onChanged={handleChange} />
              ))}
            </ul>
            {found.users.length < found.total && found.users.length >= PAGE && (
              <Button className="self-center" onClick={more}>
                {t('channels.members.more')}
              </Button>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
