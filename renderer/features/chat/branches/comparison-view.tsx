import { Columns2, Combine, Square } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followSwipe } from '../../../lib/follow-swipe.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { ModelMark } from '../../../ui/marks/model-mark.tsx'
import { Badge } from '../../../ui/marks/badge.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { AssistantMessage } from '../messages/assistant-message.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import { type ChatMessage, isGrowing, selectMessage } from '../chat-store.ts'
import { isMerged, selectIsSettled, toVersions } from './comparison.ts'
import './comparison.css'
import { MessageArticle } from '../messages/message-article.tsx'

/** Media query of windows that show one answer at a time. */
const NARROW = '(max-width: 56.25rem)'

interface ColumnProps {
  readonly id: string
  /** Id of the answer that the next message follows. */
  readonly currentId: string
  readonly isLast: boolean
}

function ColumnHead({ message, currentId }: { message: ChatMessage; currentId: string }) {
  const { t } = useTranslation()
  const { keep, stopAnswer } = useChatView()
  const isSettled = useChat(selectIsSettled(currentId))
  const isChosen = isSettled && message.id === currentId
  return (
    <header className="comparison-head">
      {message.model && <ModelMark id={message.model} className="size-6 rounded-small!" />}
      <bdi className="min-w-0 flex-1 truncate font-medium">
        {message.modelName || message.model}
      </bdi>
      {isChosen && (
        <span className="shrink-0">
          <Badge tone="accent">{t('chat.compare.current')}</Badge>
        </span>
      )}
      {isGrowing(message) ? (
        <IconButton
          label={t('chat.compare.stop', { model: message.modelName })}
          icon={<Square className="fill-current size-3!" />}
          onClick={() => stopAnswer(message.id)}
        />
      ) : (
        !isChosen && (
          <Button className="text-small" onClick={() => keep(message.id)}>
            {t('chat.compare.use')}
          </Button>
        )
      )}
    </header>
  )
}

/** Answer of one of the models. */
function Column({ id, currentId, isLast }: ColumnProps) {
  const message = useChat(selectMessage(id))
  const versions = useChat((state) =>
    state.messages[id] ? toVersions(state, state.messages[id]).join(' ') : '',
  )
  if (!message) return null
  return (
    <MessageArticle message={message} className="comparison-column">
      <ColumnHead message={message} currentId={currentId} />
      <AssistantMessage
        message={{ ...message, siblingIds: versions.split(' ') }}
        isLast={isLast}
        isColumn
      />
    </MessageArticle>
  )
}

function NarrowColumns({
  ids,
  currentId,
  isLast,
}: {
  ids: readonly string[]
  currentId: string
  isLast: boolean
}) {
  const { t } = useTranslation()
  const [place, setPlace] = useState(() => Math.max(0, ids.indexOf(currentId)))
  const messages = useChat((state) => state.messages)
  const shown = Math.min(place, ids.length - 1)
  const box = useRef<HTMLDivElement>(null)
  // The swipe past the first answer is left to the page, where it opens the chat list.
  const swipe = useEffectEvent((direction: 'forward' | 'back'): boolean => {
    const next = shown + (direction === 'back' ? 1 : -1)
    if (next >= 0 && next < ids.length) setPlace(next)
    return next >= 0
  })
  useEffect(() => (box.current ? followSwipe(box.current, (way) => swipe(way)) : undefined), [])
  return (
    <Tabs.Root ref={box} value={String(shown)} onValueChange={(value) => setPlace(Number(value))}>
      <Tabs.List
        aria-label={t('chat.compare.label', { count: ids.length })}
        className="comparison-tabs"
      >
        {ids.map((id, index) => (
          <Tabs.Trigger key={String(index)} value={String(index)} className="comparison-tab">
            <bdi className="truncate">{messages[id]?.modelName || messages[id]?.model}</bdi>
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {ids.map((id, index) => (
        <Tabs.Content key={id} value={String(index)} tabIndex={-1}>
          <Column id={id} currentId={currentId} isLast={isLast} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

/** Merges all answers into one once they are complete. */
function MergeButton({ ids, currentId }: { ids: readonly string[]; currentId: string }) {
  const { t } = useTranslation()
  const { merge, model } = useChatView()
  const whole = useChat(
    (state) =>
      ids.filter((id) => state.messages[id]?.done !== false && state.messages[id]?.content).length,
  )
  const isAnswering = useChat((state) => ids.some((id) => isGrowing(state.messages[id])))
  return (
    <Button
      icon={<Combine className="size-4" />}
      disabled={whole < 2 || isAnswering || !model}
      onClick={() => merge(currentId)}
    >
      {model ? t('chat.compare.mergeWith', { model: model.name }) : t('chat.compare.merge')}
    </Button>
  )
}

/** The answers of several models to one question side by side; in narrow windows one per tab. */
function OpenComparison({
  ids,
  currentId,
  isLast,
  isNarrow,
}: {
  ids: readonly string[]
  currentId: string
  isLast: boolean
  isNarrow: boolean
}) {
  const width = { '--answers': ids.length } as CSSProperties
  return (
    <div className="comparison">
      {isNarrow ? (
        <NarrowColumns ids={ids} currentId={currentId} isLast={isLast} />
      ) : (
        <div className="comparison-columns" style={width}>
          {ids.map((id) => (
            <Column key={id} id={id} currentId={currentId} isLast={isLast} />
          ))}
        </div>
      )}
      <div className={isNarrow ? undefined : 'comparison-foot'} style={width}>
        <MergeButton ids={ids} currentId={currentId} />
      </div>
    </div>
  )
}

interface ComparisonViewProps {
  readonly message: ChatMessage
  /** Ids of the answers side by side, including this one unless it was merged from them. */
  readonly ids: readonly string[]
  readonly isLast: boolean
  readonly isLive: boolean
}

/**
 * Answers of several models: side by side until one is chosen, then that one, with a button to show
 * the others again.
 */
export function ComparisonView({ message, ids, isLast, isLive }: ComparisonViewProps) {
  const { t } = useTranslation()
  const isSettled = useChat(selectIsSettled(message.id))
  const [isOpened, setOpened] = useState<boolean | null>(null)
  const isOpen = isOpened ?? !isSettled
  const isNarrow = useMedia(NARROW)
  const note = isMerged(message)
    ? t('chat.compare.mergedFrom', { count: ids.length })
    : t('chat.compare.chosenFrom', { count: ids.length })
  return (
    <article
      aria-label={t('chat.compare.label', { count: ids.length })}
      // Widens the question above, and the message box below the last answers, to the same grid.
      data-comparison={isOpen && !isNarrow ? ids.length : undefined}
      data-last={isLast || undefined}
      className={isLive ? 'min-h-[62cqh]' : undefined}
    >
      {isSettled && (
        <p className="mb-2 flex flex-wrap items-center gap-x-2 text-small text-muted">
          <Columns2 className="size-3.5" />
          {note}
          <button
            type="button"
            aria-expanded={isOpen}
            className="min-h-6 rounded-small font-medium text-accent hover:underline pointer-coarse:min-h-11"
            onClick={() => setOpened(!isOpen)}
          >
            {isOpen ? t('chat.compare.fold') : t('chat.compare.unfold')}
          </button>
        </p>
      )}
      {isOpen && (
        <OpenComparison ids={ids} currentId={message.id} isLast={isLast} isNarrow={isNarrow} />
      )}
      {(!isOpen || isMerged(message)) && (
        <MessageArticle message={message}>
          <AssistantMessage message={message} isLast={isLast} />
        </MessageArticle>
      )}
    </article>
  )
}
