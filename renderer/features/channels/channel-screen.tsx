import { DoorOpen } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { registerCommands } from '../../lib/commands.ts'
import { channelPath, navigate } from '../../lib/router.ts'
import { useMedia } from '../../lib/use-media.ts'
import { useAttachments } from '../../ui/attachments/use-attachments.ts'
import { WindowDrop } from '../../ui/attachments/window-drop.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { MentionContext } from '../../ui/markdown/mention-chip.tsx'
import { loadMarkdown } from '../../ui/markdown/markdown.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { ChannelBeginning } from './channel-beginning.tsx'
import { ChannelComposer } from './channel-composer.tsx'
import { ChannelHeader } from './channel-header.tsx'
import { channelName } from './channel-name.ts'
import { type ChannelsStore, markRead, noteRead } from './channels-store.ts'
import { mentionsModel, type Mention } from './mentions.ts'
import { MessageList, type MessageListHandle } from './message-list.tsx'
import { openRooms } from './open-rooms.ts'
import { closeThread, createRoom, openRoom, openThread, type Room } from './room.ts'
import {
  createRoomView,
  mayWrite,
  type Reader,
  RoomContext,
  type RoomContextValue,
  useRoom,
  useRoomState,
  useRoomView,
} from './room-view.ts'
import './strings.ts'
import { ThreadPanel } from './thread-panel.tsx'
import { useAnnouncements } from './use-announcements.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const RoomDialogs = lazyPart(() => import('./room-dialogs.tsx'), 'RoomDialogs')
const PinsPanel = lazyPart(() => import('./pins-panel.tsx'), 'PinsPanel')

/** Media query of windows that show a thread beside the channel. */
const WIDE = '(width >= 64rem)'

export interface ChannelScreenProps {
  readonly store: ChannelsStore
  readonly channelId: string
  readonly messageId: string | null
  readonly threadId: string | null
  readonly me: Reader
  readonly models: readonly Mention[]
  readonly people: PrincipalLoaders
  readonly mayUpload: boolean
  /** Content at both ends of the header. */
  readonly lead: ReactNode
  readonly state: ReactNode
  readonly writeTo: (userId: string) => void
  readonly onLeft: () => void
}

/** Shown if the channel is not accessible. */
function Closed({ room, onLeft }: { room: Room; onLeft: () => void }) {
  const { t } = useTranslation()
  const { status, problem } = useStore(room.store)
  if (status === 'failed') {
    return (
      <div role="alert" className="m-auto">
        <EmptyState
          title={t('channels.loadFailed')}
          action={<Button onClick={() => void openRoom(room, null)}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      </div>
    )
  }
  return (
    <div role="alert" className="m-auto">
      <EmptyState
        icon={<DoorOpen />}
        title={problem ?? ''}
        action={<Button onClick={onLeft}>{t('channels.gone.back')}</Button>}
      >
        {t('channels.gone.text')}
      </EmptyState>
    </div>
  )
}

/**
 * Marks everything as read while the end of the list is visible and the window has focus, unless
 * the user marked something as unread.
 */
function useReading(store: ChannelsStore, channelId: string, isAtEnd: boolean): void {
  const keepsUnread = useRoomView((state) => state.keepsUnread)
  const unread = useStore(
    store,
    ({ channels }) => channels.find(({ id }) => id === channelId)?.unread_count ?? 0,
  )
  useEffect(() => {
    if (!isAtEnd || unread === 0 || keepsUnread) return
    const note = (): void => {
      if (document.hasFocus() && document.visibilityState === 'visible') noteRead(store, channelId)
    }
    note()
    window.addEventListener('focus', note)
    return () => window.removeEventListener('focus', note)
  }, [store, channelId, isAtEnd, unread, keepsUnread])
}

interface ConversationProps {
  readonly store: ChannelsStore
  readonly jumpTo: string | null
  readonly threadList: React.RefObject<MessageListHandle | null>
  readonly list: React.RefObject<MessageListHandle | null>
}

/** The messages and the input below them. */
function Conversation({ store, jumpTo, list }: ConversationProps) {
  const { t } = useTranslation()
  const { room, me, mayUpload, showThread } = useRoom()
  const channel = useRoomState((state) => state.channel)
  const write = useRoomState(mayWrite)
  const hasThread = useRoomState((state) => state.thread !== null)
  const isWide = useMedia(WIDE)
  const box = useRef<HTMLTextAreaElement>(null)
  const attachments = useAttachments(`channel-${room.channelId}`)
  const [isAtEnd, setAtEnd] = useState(false)
  useReading(store, room.channelId, isAtEnd)
  useAnnouncements(room)
  useEffect(() => registerCommands({ 'composer.focus': () => box.current?.focus() }), [])
  const name = channel ? channelName(channel, me.id) : ''
  /**
   * Opens the thread of a model's answer after it was asked, if there is space beside the channel.
   */
  const followAnswer = (content: string): void => {
    list.current?.toEnd()
    if (!mentionsModel(content) || !isWide || hasThread) return
    const stop = room.timeline.store.subscribe(({ messages }) => {
      const asked = messages.findLast(
        (message) => message.user_id === me.id && !message.sending && message.content === content,
      )
      if (!asked || asked.reply_count === 0) return
      stop()
      if (room.store.getState().thread === null) showThread(asked.id)
    })
    setTimeout(stop, 15_000)
  }
  return (
    <>
      <MessageList
        timeline={room.timeline}
        jumpTo={jumpTo}
        handle={list}
        label={t('channels.list.label', { name })}
        beginning={<ChannelBeginning />}
        onLeave={() => box.current?.focus()}
        onEnd={setAtEnd}
      />
      <div className="mx-auto w-full max-w-[68rem] shrink-0">
        {write ? (
          <ChannelComposer
            timeline={room.timeline}
            box={box}
            attachments={attachments}
            placeholder={t('channels.composer.placeholder', { name })}
            onSent={followAnswer}
          />
        ) : (
          channel && (
            <p className="px-5 pt-1 pb-5 text-center text-small text-muted">
              {t('channels.composer.readOnly')}
            </p>
          )
        )}
      </div>
      {write && mayUpload && !hasThread && (
        <WindowDrop onFiles={(files) => void attachments.uploads.add(files)} />
      )}
    </>
  )
}

function Panels({
  jumpTo,
  list,
}: {
  jumpTo: string | null
  list: React.RefObject<MessageListHandle | null>
}) {
  const panel = useRoomView((state) => state.panel)
  const hasThread = useRoomState((state) => state.thread !== null)
  if (hasThread) return <ThreadPanel jumpTo={jumpTo} handle={list} />
  if (panel !== 'pins') return null
  return (
    <Suspense>
      <PinsPanel />
    </Suspense>
  )
}

/** Opens the thread given by the URL, and closes it if there is none. */
function useThreadOfAddress(room: Room, threadId: string | null, messageId: string | null): void {
  const isReady = useStore(room.store, ({ status }) => status === 'ready')
  useEffect(() => {
    if (!isReady) return
    const shown = room.store.getState().thread?.parentId ?? null
    if (threadId === shown) return
    if (threadId === null) closeThread(room)
    else void openThread(room, threadId, messageId)
    // oxlint-disable-next-line react/exhaustive-deps -- the list of an open thread scrolls to its message
  }, [room, threadId, isReady])
}

function OpenChannelScreen({ room, ...props }: ChannelScreenProps & { room: Room }) {
  const { store, channelId, messageId, threadId, me, models, people, mayUpload, writeTo } = props
  const [view] = useState(createRoomView)
  const list = useRef<MessageListHandle>(null)
  const threadList = useRef<MessageListHandle>(null)
  const status = useStore(room.store, (state) => state.status)
  const name = useStore(room.store, ({ channel }) => channel && channelName(channel, me.id))
  const all = useStore(store, (state) => state.channels)
  const channels = useMemo(
    () =>
      all
        .filter(({ type }) => type === null)
        .map(({ id, name: title }): Mention => ({ kind: '#C', id, name: title })),
    [all],
  )
  const showThread = useCallback(
    (parentId: string, message?: string): void => {
      view.setState({ panel: null })
      navigate(channelPath(channelId, { thread: parentId, message: message ?? null }))
    },
    [view, channelId],
  )
  const value = useMemo<RoomContextValue>(
    () => ({
      room,
      view,
      me,
      models,
      channels,
      people,
      mayUpload,
      writeTo,
      showThread,
      hideThread: () => navigate(channelPath(channelId)),
      markUnread: async ({ id }) => {
        view.setState({ keepsUnread: true })
        await markRead(store, channelId, id)
        room.timeline.store.setState({ firstUnreadId: id })
      },
      showMessage: ({ id, parent_id: parentId }) => {
        if (parentId === null) list.current?.show(id)
        else if (room.store.getState().thread?.parentId === parentId) threadList.current?.show(id)
        else showThread(parentId, id)
      },
    }),
    [room, view, me, models, channels, people, mayUpload, writeTo, showThread, channelId, store],
  )
  const mentions = useMemo(() => ({ userId: me.id }), [me.id])
  useThreadOfAddress(room, threadId, messageId)
  useEffect(
    () =>
      registerCommands({
        'channel.members': () => view.setState({ dialog: 'members' }),
        'channel.pins': () =>
          view.setState(({ panel }) => ({ panel: panel === 'pins' ? null : 'pins' })),
      }),
    [view],
  )
  usePageTitle(name)
  const isClosed = status === 'gone' || status === 'failed'
  return (
    <RoomContext value={value}>
      <MentionContext value={mentions}>
        <div className="flex h-full min-w-0">
          <div className="flex h-full min-w-0 flex-1 flex-col">
            <ChannelHeader lead={props.lead} state={props.state} />
            {isClosed ? (
              <Closed room={room} onLeft={props.onLeft} />
            ) : (
              <Conversation
                store={store}
                jumpTo={threadId === null ? messageId : null}
                list={list}
                threadList={threadList}
              />
            )}
          </div>
          {!isClosed && <Panels jumpTo={threadId === null ? null : messageId} list={threadList} />}
        </div>
        <Suspense>
          <RoomDialogs onLeft={props.onLeft} />
        </Suspense>
      </MentionContext>
    </RoomContext>
  )
}

/** A channel: its messages, threads beside them, and the input. */
export function ChannelScreen(props: ChannelScreenProps) {
  const { channelId, messageId, threadId } = props
  const room = useMemo(() => createRoom(channelId), [channelId])
  useEffect(() => {
    void loadMarkdown()
    void openRoom(room, threadId ?? messageId)
    return openRooms.add(room)
    // oxlint-disable-next-line react/exhaustive-deps -- the list scrolls to later messages of the URL
  }, [room])
  return <OpenChannelScreen key={channelId} room={room} {...props} />
}
