import type { ChannelMessage } from '#contract/channel-messages.ts'
import type { ServerFrame } from '#contract/events.ts'
import { socket } from '../../api/socket.ts'
import { channelName } from '../../features/channels/channel-name.ts'
import {
  applyListFrame,
  loadChannels,
  NO_CHANNELS,
  selectChannel,
} from '../../features/channels/channels-store.ts'
import { toPlainText } from '../../features/channels/mentions.ts'
import { openRooms } from '../../features/channels/open-rooms.ts'
import { authorName, isAnswer } from '../../features/channels/shown-message.ts'
import '../../features/channels/strings.ts'
import { desktop } from '../../lib/desktop.ts'
import { translate } from '../../lib/i18n.ts'
import { placesStore } from '../../lib/places.ts'
import { channelPath, currentRoute, navigate } from '../../lib/router.ts'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { sessionStore } from '../stores.ts'
import { channelsStore } from './channel-stores.ts'

/** Maximum number of characters of a message in a notification. */
const EXCERPT = 200

const meId = (): string => sessionStore.getState().user?.id ?? ''

/** True if the channel is on screen and the window has focus. */
function isSeen(channelId: string): boolean {
  const route = currentRoute()
  return document.hasFocus() && route.name === 'channel' && route.channelId === channelId
}

/** Notifies the user of a mention: in the window if it has focus, otherwise through the system. */
function notify(
  message: ChannelMessage,
  key: 'channels.announce.mentioned' | 'channels.announce.wrote',
): void {
  const { channel_id: channelId } = message
  if (isSeen(channelId)) return
  const channel = selectChannel(channelId)(channelsStore.getState())
  const name = channel ? channelName(channel, meId()) : ''
  const content = toPlainText(message.content).slice(0, EXCERPT)
  const path = channelPath(channelId, { message: message.id, thread: message.parent_id })
  if (desktop && !document.hasFocus()) {
    const title = translate(key, { name: authorName(message), channel: name, text: '' }).replace(
      /:\s*$/,
      '',
    )
    desktop
      .request('notification.show', { title: title.slice(0, EXCERPT), body: content, path })
      .catch(toastError)
    return
  }
  toast({
    text: translate(key, { name: authorName(message), channel: name, text: content }),
    action: { label: translate('channels.announce.show'), onSelect: () => navigate(path) },
  })
}

function handleFrame(frame: ServerFrame): void {
  if (frame.type !== 'events:channel') return
  const { data: event, channel_id: channelId } = frame
  if (event.type === 'mention') notify(event.data, 'channels.announce.mentioned')
  if (event.type === 'message' && event.data.user_id !== meId() && !isAnswer(event.data)) {
    const isConversation = selectChannel(channelId)(channelsStore.getState())?.type === 'dm'
    const mentionsMe = event.data.content.includes(`<@U:${meId()}`)
    if (isConversation && !mentionsMe) notify(event.data, 'channels.announce.wrote')
  }
  applyListFrame(channelsStore, frame, meId())
  openRooms.handleFrame(frame)
}

/** Keeps the channel list and the open channels up to date; returns the function that stops it. */
export function followChannels(): () => void {
  void loadChannels(channelsStore)
  const removers = [
    socket.onFrame(handleFrame),
    socket.onReconnected(() => {
      void loadChannels(channelsStore)
      openRooms.refresh()
    }),
    channelsStore.subscribe(({ channels }, before) => {
      if (channels === before.channels) return
      placesStore.setState({
        channels: channels.map((channel) => ({
          id: channel.id,
          name: channelName(channel, meId()),
          path: channelPath(channel.id),
        })),
      })
    }),
  ]
  return () => {
    for (const remove of removers) remove()
    channelsStore.setState(NO_CHANNELS, true)
    placesStore.setState({ channels: [] })
  }
}
