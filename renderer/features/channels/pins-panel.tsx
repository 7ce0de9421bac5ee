import { Pin, PinOff } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedMessage } from '#contract/channel-messages.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { SidePanel } from '../../ui/dialogs/side-panel.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { Avatar, pictureOf } from '../../ui/marks/avatar.tsx'
import { pinMessage } from './change-message.ts'
import { MessageHead } from './message-head.tsx'
import { MessageText } from './message-text.tsx'
import { mayWrite, useRoom, useRoomState } from './room-view.ts'
import { authorName, isAnswer, type ShownMessage, toShown } from './shown-message.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'

const PAGE = 50

function PinnedMessage({ message }: { message: ShownMessage }) {
  const { t } = useTranslation()
  const { room, showMessage } = useRoom()
  const write = useRoomState(mayWrite)
  const name = authorName(message)
  const { id, user, user_id: userId } = message
  return (
    <li className="rounded-large border border-line p-3">
      <div className="flex items-start gap-2">
        <Avatar
          size="medium"
          name={name}
          id={user?.id ?? userId}
          picture={pictureOf(user)}
          kind={isAnswer(message) ? 'model' : 'person'}
        />
        <div className="min-w-0 flex-1">
          <MessageHead message={{ ...message, is_pinned: false }} isWhole />
        </div>
        {write && (
          <IconButton
            size="small"
            label={t('channels.pins.unpin', { name })}
            icon={<PinOff />}
            onClick={() =>
              void pinMessage(room, message, false).catch(tellFailure('channels.failed.pin'))
            }
          />
        )}
      </div>
      <div className="mt-1 line-clamp-6">
        <MessageText text={message.content} isGrowing={false} />
      </div>
      <Button
        tone="quiet"
        className="mt-1 -ms-3 h-7!"
        onClick={() => showMessage({ id, parent_id: message.parent_id })}
      >
        {t('channels.pins.show')}
      </Button>
    </li>
  )
}

/** Loads the first pages of pinned messages. */
async function readPins(
  channelId: string,
  pages: number,
): Promise<{ pins: readonly ShownMessage[]; hasMore: boolean }> {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
  const read = await Promise.all(
    numbers.map((page): Promise<ListedMessage[]> =>
      call(endpoints.channels.pinned, { params: { channel_id: channelId }, query: { page } }),
    ),
  )
  return { pins: read.flat().map(toShown), hasMore: read.at(-1)?.length === PAGE }
}

/** Pinned messages of a channel, the latest first. */
export function PinsPanel() {
  const { t } = useTranslation()
  const { room, view } = useRoom()
  const version = useRoomState((state) => state.pinsVersion)
  const [pins, setPins] = useState<readonly ShownMessage[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [hasMore, setMore] = useState(false)
  const [page, setPage] = useState(1)
  const load = useCallback(
    (): Promise<void> =>
      readPins(room.channelId, page).then(
        (read) => {
          setPins(read.pins)
          setMore(read.hasMore)
          setProblem(null)
        },
        (thrown: unknown) => setProblem(toSentence(thrown)),
      ),
    [room.channelId, page],
  )
  useEffect(() => {
    void load()
  }, [load, version])
  return (
    <SidePanel
      isWide
      title={t('channels.pins.title')}
      onClose={() => view.setState({ panel: null })}
    >
      {problem !== null && (
        <EmptyState
          title={t('channels.pins.failed')}
          action={<Button onClick={() => void load()}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {pins === null && problem === null && <Spinner className="mx-auto my-10 block" />}
      {pins?.length === 0 && (
        <EmptyState icon={<Pin />} title={t('channels.pins.none')}>
          {t('channels.pins.noneHint')}
        </EmptyState>
      )}
      <ul aria-label={t('channels.pins.title')} className="flex flex-col gap-2">
        {pins?.map((message) => (
          <PinnedMessage key={message.id} message={message} />
        ))}
      </ul>
      {hasMore && (
        <Button className="mx-auto mt-3 flex" onClick={() => setPage(page + 1)}>
          {t('channels.pins.more')}
        </Button>
      )}
    </SidePanel>
  )
}
