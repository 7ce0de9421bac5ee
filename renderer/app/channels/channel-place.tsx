import { useMemo } from 'react'
import { useStore } from 'zustand'
import { call, endpoints } from '../../api/client.ts'
import { ChannelScreen } from '../../features/channels/channel-screen.tsx'
import { dropChannel, loadChannels } from '../../features/channels/channels-store.ts'
import type { Mention } from '../../features/channels/mentions.ts'
import type { Reader } from '../../features/channels/room-view.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'
import { classNames } from '../../lib/class-names.ts'
import { channelPath, chatPath, currentRoute, navigate } from '../../lib/router.ts'
import { ConnectionState } from '../shell/connection-state.tsx'
import { OpenSidebar } from '../shell/open-sidebar.tsx'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { layoutStore, modelsStore, sessionStore } from '../stores.ts'
import { channelsStore } from './channel-stores.ts'

function SidebarButton() {
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  return (
    <span className={classNames('flex', sidebarOpen && 'md:hidden')}>
      <OpenSidebar />
    </span>
  )
}

/** Opens the conversation with a user, creating it if there is none. */
function writeTo(userId: string): void {
  call(endpoints.channels.ofUser, { params: { user_id: userId } }).then(({ id }) => {
    void loadChannels(channelsStore)
    navigate(channelPath(id))
  }, tellFailure('channels.failed.conversation'))
}

function leave(): void {
  const route = currentRoute()
  if (route.name === 'channel') dropChannel(channelsStore, route.channelId)
  void loadChannels(channelsStore)
  navigate(chatPath(null))
}

interface ChannelPlaceProps {
  readonly channelId: string
  readonly messageId: string | null
  readonly threadId: string | null
}

/** One channel next to the list. */
export function ChannelPlace({ channelId, messageId, threadId }: ChannelPlaceProps) {
  const user = useStore(sessionStore, (state) => state.user)
  const models = useStore(modelsStore, (state) => state.models)
  const mayUpload = useStore(sessionStore, isPermitted('chat.file_upload'))
  const me = useMemo<Reader | null>(
    () =>
      user && {
        id: user.id,
        name: user.name,
        profile_image_url: user.profile_image_url,
        isAdmin: user.role === 'admin',
      },
    [user],
  )
  const asked = useMemo(
    () =>
      models
        .filter((model) => model.unavailable !== true)
        .map(({ id, name }): Mention => ({ kind: '@M', id, name })),
    [models],
  )
  if (!me) return null
  return (
    <ChannelScreen
      key={channelId}
      store={channelsStore}
      channelId={channelId}
      messageId={messageId}
      threadId={threadId}
      me={me}
      models={asked}
      people={principals}
      mayUpload={mayUpload}
      lead={<SidebarButton />}
      state={<ConnectionState />}
      writeTo={writeTo}
      onLeft={leave}
    />
  )
}
