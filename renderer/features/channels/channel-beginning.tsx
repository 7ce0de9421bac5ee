import { useTranslation } from 'react-i18next'
import { ChannelIcon } from './channel-icon.tsx'
import { channelName } from './channel-name.ts'
import { useRoom, useRoomState } from './room-view.ts'

/** Text above the very first message. */
export function ChannelBeginning() {
  const { t } = useTranslation()
  const { me } = useRoom()
  const channel = useRoomState((state) => state.channel)
  if (!channel) return null
  const name = channelName(channel, me.id)
  return (
    <div className="px-3 pt-10 pb-2 sm:px-5">
      <span className="mb-3 grid size-11 place-items-center rounded-large bg-accent-soft text-accent-strong dark:text-accent [&>svg]:size-5.5">
        <ChannelIcon channel={channel} />
      </span>
      <h2 className="text-head-2 font-semibold">
        <bdi>{name}</bdi>
      </h2>
      <p className="mt-1 max-w-prose text-pretty text-muted">
        {channel.description ||
          t(channel.type === 'dm' ? 'channels.beginning.dm' : 'channels.beginning.channel', {
            name,
          })}
      </p>
    </div>
  )
}
