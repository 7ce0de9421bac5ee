import { Suspense, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { ChannelList } from '../../features/channels/channel-list.tsx'
import { loadChannels } from '../../features/channels/channels-store.ts'
import { FoundMessages } from '../../features/channels/found-messages.tsx'
import { registerCommands } from '../../lib/commands.ts'
import { channelPath, navigate, useRoute } from '../../lib/router.ts'
import { principals } from '../person/principals.ts'
import { sessionStore } from '../stores.ts'
import { channelsStore } from './channel-stores.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const CreateDialog = lazyPart(
  () => import('../../features/channels/create-dialog.tsx'),
  'CreateDialog',
)

interface ChannelsSectionProps {
  /** Called once the channels are known. */
  readonly onLoaded: () => void
}

/** The channels of the sidebar, above the chats. */
export function ChannelsSection({ onLoaded }: ChannelsSectionProps) {
  const route = useRoute()
  const meId = useStore(sessionStore, (state) => state.user?.id ?? '')
  const admin = useStore(sessionStore, isAdmin)
  const isLoaded = useStore(channelsStore, ({ status }) => status !== 'loading')
  const [creating, setCreating] = useState<'channel' | 'dm' | null>(null)
  useEffect(() => {
    if (isLoaded) onLoaded()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- called once, whichever function it is
  }, [isLoaded])
  useEffect(
    () =>
      registerCommands({
        'channel.new': () => setCreating('channel'),
        'channel.write': () => setCreating('dm'),
      }),
    [],
  )
  return (
    <>
      <ChannelList
        store={channelsStore}
        meId={meId}
        currentId={route.name === 'channel' ? route.channelId : null}
        onCreate={setCreating}
      />
      {creating !== null && (
        <Suspense>
          <CreateDialog
            isAdmin={admin}
            loaders={principals}
            first={creating}
            onClose={() => setCreating(null)}
            onCreated={({ id }) => {
              setCreating(null)
              void loadChannels(channelsStore)
              navigate(channelPath(id))
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Search results from channel messages. */
export function FoundInChannels({ text }: { text: string }) {
  const meId = useStore(sessionStore, (state) => state.user?.id ?? '')
  return <FoundMessages text={text} store={channelsStore} meId={meId} />
}
