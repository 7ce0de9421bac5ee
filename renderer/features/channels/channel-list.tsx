import { ChevronRight, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ListedChannel } from '#contract/channels.ts'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { channelPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { channelName, othersOf } from './channel-name.ts'
import { type ChannelsStore, loadChannels } from './channels-store.ts'
import './strings.ts'
import { formatLocale } from '../../lib/i18n.ts'

const MOST_SHOWN = 99

/** Channels of a section shown at first, so that the chats below stay in sight; a few more fit too. */
const FIRST = 5
const FEW_MORE = 2

/** Unread count; mentions of the reader are emphasised. */
function Unread({ channel }: { channel: ListedChannel }) {
  const { t } = useTranslation()
  const { unread_count: unread, mention_count: mentions, type } = channel
  if (unread === 0) return null
  const isLoud = mentions > 0 || type === 'dm'
  const shown = mentions > 0 ? mentions : unread
  return (
    <>
      <span
        aria-hidden="true"
        className={classNames(
          'min-w-5 shrink-0 rounded-full px-1.5 text-center text-tiny font-semibold tabular-nums forced-colors:border',
          isLoud ? 'bg-accent text-on-accent' : 'bg-pressed text-ink',
        )}
      >
        {shown > MOST_SHOWN ? `${MOST_SHOWN}+` : shown}
      </span>
      <span className="sr-only">
        {t('channels.sidebar.unread', { count: unread })}
        {mentions > 0 && ` ${t('channels.sidebar.mentions', { count: mentions })}`}
      </span>
    </>
  )
}

/**
 * The picture of the other user in a one-to-one conversation, otherwise an icon for the kind of
 * channel.
 */
function RowIcon({ channel, meId }: { channel: ListedChannel; meId: string }) {
  const others = othersOf(channel, meId)
  if (channel.type !== 'dm' || others.length !== 1) return <ChannelIcon channel={channel} />
  const { id, name, profile_image_url: picture, is_active: isActive } = others[0]!
  return (
    <span className="relative -ms-0.5 grid shrink-0">
      <Avatar size="small" name={name} id={id} picture={picture} />
      {isActive && (
        <span
          aria-hidden="true"
          className="absolute -end-0.5 -bottom-0.5 size-2 rounded-full border border-sidebar bg-accent"
        />
      )}
    </span>
  )
}

function ChannelRow({
  channel,
  meId,
  current,
}: {
  channel: ListedChannel
  meId: string
  current: boolean
}) {
  return (
    <li>
      <a
        href={channelPath(channel.id)}
        onClick={handleLink}
        aria-current={current ? 'page' : undefined}
        data-row=""
        data-channel-id={channel.id}
        className={classNames(
          'flex min-h-(--row) items-center gap-2 rounded-medium px-2.5 text-ink no-underline transition-colors duration-(--motion-in) focus-visible:-outline-offset-2 pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted',
          current ? 'bg-pressed' : 'hover:bg-hover',
        )}
      >
        <RowIcon channel={channel} meId={meId} />
        <bdi
          className={classNames(
            'min-w-0 flex-1 truncate',
            channel.unread_count > 0 && 'font-semibold',
          )}
        >
          {channelName(channel, meId)}
        </bdi>
        <Unread channel={channel} />
      </a>
    </li>
  )
}

const FOLDED_KEY = 'folded-channels'

function readFolded(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(FOLDED_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/**
 * Returns the collapsed sections, and those that show all of many channels, stored in this browser.
 */
function useFolded(): readonly [readonly string[], (part: string) => void] {
  const [folded, setFolded] = useState(readFolded)
  const toggle = (part: string): void => {
    const next = folded.includes(part) ? folded.filter((each) => each !== part) : [...folded, part]
    setFolded(next)
    try {
      localStorage.setItem(FOLDED_KEY, JSON.stringify(next))
    } catch {
      // Without storage the setting lasts until the page is closed.
    }
  }
  return [folded, toggle]
}

interface PartProps {
  readonly title: string
  readonly addLabel: string
  readonly isFolded: boolean
  readonly onFold: () => void
  readonly onAdd: () => void
  /** Number of channels; the first one is created from the menu of the list. */
  readonly count: number
  /** True if all of many are shown. */
  readonly isWhole: boolean
  readonly onWhole: () => void
  readonly children: ReactNode
}

function Part(props: PartProps) {
  const { t } = useTranslation()
  const { title, addLabel, isFolded, onFold, onAdd, count, isWhole, onWhole, children } = props
  if (count === 0) return null
  return (
    <section className="pb-2" aria-label={title}>
      <div className="flex items-center gap-1 ps-1 pe-1">
        <h3 className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={!isFolded}
            onClick={onFold}
            className="flex w-full items-center gap-1 rounded-small px-1.5 py-1.5 text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
          >
            <ChevronRight
              className={classNames(
                'size-3 transition-transform duration-(--motion-in)',
                isFolded ? 'rtl:-scale-x-100' : 'rotate-90',
              )}
            />
            {title}
          </button>
        </h3>
        <IconButton size="small" label={addLabel} icon={<Plus />} onClick={onAdd} />
      </div>
      <ul className="flex flex-col gap-px">{children}</ul>
      {!isFolded && count > FIRST + FEW_MORE && (
        <Button
          tone="quiet"
          aria-expanded={isWhole}
          className="h-7! w-full justify-start! px-2.5! text-small text-muted pointer-coarse:min-h-11"
          onClick={onWhole}
        >
          {isWhole ? t('channels.sidebar.fewer') : t('channels.sidebar.all', { total: count })}
        </Button>
      )}
    </section>
  )
}

/** Arrow keys move the focus between channels. */
function handleKeyDown(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-channel-id]')]
  const index = rows.indexOf(event.target as HTMLElement)
  const next = index < 0 ? undefined : rows[index + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  next.focus()
  event.preventDefault()
  event.stopPropagation()
}

interface ChannelListProps {
  readonly store: ChannelsStore
  readonly meId: string
  readonly currentId: string | null
  readonly onCreate: (first: 'channel' | 'dm') => void
}

/**
 * The user's channels and conversations. A collapsed section still shows its unread and open ones,
 * and so does one that shows only its first ones.
 */
export function ChannelList({ store, meId, currentId, onCreate }: ChannelListProps) {
  const { t, i18n } = useTranslation()
  const { channels, status, problem } = useStore(store)
  const [folded, toggle] = useFolded()
  const parts = useMemo(() => {
    const byName = new Intl.Collator(formatLocale(i18n.language), { numeric: true })
    const rooms = channels.filter(({ type }) => type !== 'dm')
    const talks = channels.filter(({ type }) => type === 'dm')
    return {
      rooms: rooms.toSorted((left, right) =>
        byName.compare(channelName(left, meId), channelName(right, meId)),
      ),
      talks: talks.toSorted(
        (left, right) =>
          (right.last_message_at ?? right.created_at) - (left.last_message_at ?? left.created_at),
      ),
    }
  }, [channels, meId, i18n.language])
  if (status === 'loading') return null
  if (status === 'failed') {
    return (
      <div role="alert" className="px-2.5 py-2 text-small text-muted">
        <p>{t('channels.sidebar.failed', { problem })}</p>
        <Button className="mt-2 h-7!" onClick={() => void loadChannels(store)}>
          {t('common.retry')}
        </Button>
      </div>
    )
  }
  const isWhole = (part: 'rooms' | 'talks'): boolean => folded.includes(`all ${part}`)
  const mostOf = (part: 'rooms' | 'talks'): number => {
    if (folded.includes(part)) return 0
    return isWhole(part) || parts[part].length <= FIRST + FEW_MORE ? Infinity : FIRST
  }
  const draw = (part: 'rooms' | 'talks'): ReactNode =>
    parts[part]
      .filter(
        (channel, index) =>
          index < mostOf(part) || channel.unread_count > 0 || channel.id === currentId,
      )
      .map((channel) => (
        <ChannelRow
          key={channel.id}
          channel={channel}
          meId={meId}
          current={channel.id === currentId}
        />
      ))
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys only move between rows that are focusable themselves
    <div onKeyDown={handleKeyDown}>
      <Part
        title={t('channels.sidebar.channels')}
        addLabel={t('channels.sidebar.newChannel')}
        isFolded={folded.includes('rooms')}
        onFold={() => toggle('rooms')}
        onAdd={() => onCreate('channel')}
        count={parts.rooms.length}
        isWhole={isWhole('rooms')}
        onWhole={() => toggle('all rooms')}
      >
        {draw('rooms')}
      </Part>
      <Part
        title={t('channels.sidebar.conversations')}
        addLabel={t('channels.sidebar.newConversation')}
        isFolded={folded.includes('talks')}
        onFold={() => toggle('talks')}
        onAdd={() => onCreate('dm')}
        count={parts.talks.length}
        isWhole={isWhole('talks')}
        onWhole={() => toggle('all talks')}
      >
        {draw('talks')}
      </Part>
    </div>
  )
}
