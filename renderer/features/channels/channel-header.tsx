import { ChevronDown, LogOut, Pin, Settings2, Trash2, UsersRound, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenChannel } from '#contract/channels.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { Tooltip } from '../../ui/floating/tooltip.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { channelName } from './channel-name.ts'
import { mayManage, useRoom, useRoomState, useRoomView } from './room-view.ts'

function ChannelMenu({ channel }: { channel: OpenChannel }) {
  const { t } = useTranslation()
  const { view, me } = useRoom()
  const manage = useRoomState(mayManage)
  const name = channelName(channel, me.id)
  const open = (dialog: 'members' | 'settings' | 'webhooks' | 'leave' | 'delete') => () =>
    view.setState({ dialog })
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t('channels.header.menu', { name })}
          className="flex h-control min-w-0 items-center gap-1.5 rounded-medium px-2 text-ui hover:bg-hover data-[state=open]:bg-pressed pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
        >
          <ChannelIcon channel={channel} />
          <bdi className="truncate font-semibold">{name}</bdi>
          <ChevronDown className="size-3.5!" />
        </button>
      }
    >
      <MenuItem icon={<UsersRound />} onSelect={open('members')}>
        {t('channels.header.members')}
      </MenuItem>
      {manage && (
        <>
          <MenuItem icon={<Settings2 />} onSelect={open('settings')}>
            {t('channels.header.settings')}
          </MenuItem>
          <MenuItem icon={<Webhook />} onSelect={open('webhooks')}>
            {t('channels.header.webhooks')}
          </MenuItem>
        </>
      )}
      {(channel.type !== null || manage) && <MenuSeparator />}
      {channel.type !== null && (
        <MenuItem icon={<LogOut />} onSelect={open('leave')}>
          {t(channel.type === 'dm' ? 'channels.header.hide' : 'channels.header.leave')}
        </MenuItem>
      )}
      {manage && (
        <MenuItem icon={<Trash2 />} danger onSelect={open('delete')}>
          {t('channels.header.delete')}
        </MenuItem>
      )}
    </Menu>
  )
}

interface ChannelHeaderProps {
  /** Content at the start and the end of the header. */
  readonly lead: ReactNode
  readonly state: ReactNode
}

/** Header of a channel: name with actions, purpose, members. */
export function ChannelHeader({ lead, state }: ChannelHeaderProps) {
  const { t } = useTranslation()
  const { view } = useRoom()
  const channel = useRoomState((room) => room.channel)
  const panel = useRoomView((shown) => shown.panel)
  return (
    <header className="flex h-header shrink-0 items-center gap-1 border-b border-line px-2 pointer-coarse:h-13">
      {lead}
      <div className="flex min-w-0 flex-1 items-center gap-2">
        {channel && (
          <>
            <h1 className="flex min-w-0 shrink-0 max-md:shrink">
              <ChannelMenu channel={channel} />
            </h1>
            {channel.description && (
              <Tooltip text={channel.description}>
                <p className="min-w-0 truncate text-small text-muted max-md:hidden">
                  {channel.description}
                </p>
              </Tooltip>
            )}
          </>
        )}
      </div>
      {state}
      {channel && (
        <>
          <Tooltip text={t('channels.header.members')}>
            <button
              type="button"
              aria-label={t('channels.header.memberCount', { count: channel.user_count })}
              onClick={() => view.setState({ dialog: 'members' })}
              className="inline-flex h-control items-center gap-1.5 rounded-medium px-2 text-small text-muted tabular-nums hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
            >
              <UsersRound className="size-4" />
              {channel.user_count}
            </button>
          </Tooltip>
          <IconButton
            label={t('channels.header.pins')}
            icon={<Pin />}
            aria-pressed={panel === 'pins'}
            onClick={() => view.setState({ panel: panel === 'pins' ? null : 'pins' })}
          />
        </>
      )}
    </header>
  )
}
