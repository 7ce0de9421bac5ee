import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { useAttachments } from '../../ui/attachments/use-attachments.ts'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { SidePanel } from '../../ui/dialogs/side-panel.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { ChannelComposer } from './channel-composer.tsx'
import { MessageList, type MessageListHandle } from './message-list.tsx'
import { openThread } from './room.ts'
import { mayWrite, useRoom, useRoomState } from './room-view.ts'
import type { Timeline } from './timeline.ts'

interface ThreadProps {
  readonly thread: Timeline
  readonly jumpTo: string | null
  readonly handle: Ref<MessageListHandle>
}

function Thread({ thread, jumpTo, handle }: ThreadProps) {
  const { t } = useTranslation()
  const { room } = useRoom()
  const parent = useRoomState((state) => state.parent)
  const problem = useRoomState((state) => state.threadProblem)
  const write = useRoomState(mayWrite)
  const list = useRef<MessageListHandle>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const attachments = useAttachments(`channel-${room.channelId}-${thread.parentId}`)
  useImperativeHandle(handle, () => ({
    toEnd: () => list.current?.toEnd(),
    show: (id) => list.current?.show(id),
  }))
  useEffect(() => {
    // The panel takes the focus first; then it moves to the input.
    const timer = setTimeout(() => box.current?.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [thread])
  if (problem !== null) {
    return (
      <EmptyState
        title={problem}
        action={
          <Button onClick={() => thread.parentId && void openThread(room, thread.parentId)}>
            {t('common.retry')}
          </Button>
        }
      />
    )
  }
  if (!parent) return <Spinner className="mx-auto my-10" />
  return (
    <>
      <MessageList
        timeline={thread}
        jumpTo={jumpTo}
        handle={list}
        head={parent}
        label={t('channels.thread.list')}
        beginning={null}
        onLeave={() => box.current?.focus()}
      />
      {write && (
        <ChannelComposer
          timeline={thread}
          box={box}
          attachments={attachments}
          placeholder={t('channels.thread.placeholder')}
          onSent={() => list.current?.toEnd()}
        />
      )}
    </>
  )
}

/** The replies to one message, beside the channel; over it in narrow windows. */
export function ThreadPanel({
  jumpTo,
  handle,
}: {
  jumpTo: string | null
  handle: Ref<MessageListHandle>
}) {
  const { t } = useTranslation()
  const { hideThread } = useRoom()
  const thread = useRoomState((state) => state.thread)
  if (!thread) return null
  return (
    <SidePanel isWide hasOwnScroll title={t('channels.thread.title')} onClose={hideThread}>
      <Thread key={thread.parentId} thread={thread} jumpTo={jumpTo} handle={handle} />
    </SidePanel>
  )
}
