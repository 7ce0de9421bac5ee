import { Bot, Hash } from 'lucide-react'
import { type RefObject, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../api/client.ts'
import { rankText } from '../../lib/rank-text.ts'
import { replaceTypedWord } from '../../ui/typed-word/find-typed-word.ts'
import { TypedList } from '../../ui/typed-word/typed-list.tsx'
import { placeCaret, useTypedRows, useTypedWord } from '../../ui/typed-word/use-typed-word.ts'
import { Avatar, personPicture } from '../../ui/marks/avatar.tsx'
import type { ChannelDraft } from './channel-draft.ts'
import { mentionLabel, type Mention } from './mentions.ts'
import { useRoom } from './room-view.ts'

const WAIT = 120
const MOST_PEOPLE = 8
const MOST_OTHERS = 6

/**
 * Returns channel members whose names match; the previous result remains until the next one
 * arrives, to avoid flicker.
 */
function usePeople(
  channelId: string,
  meId: string,
  word: string | null,
): readonly Mention[] | null {
  const [found, setFound] = useState<readonly Mention[] | null>(null)
  useEffect(() => {
    if (word === null) return
    const abort = new AbortController()
    const find = async (): Promise<void> => {
      const input = {
        params: { channel_id: channelId },
        query: { query: word || undefined, order_by: 'name' as const, direction: 'asc' as const },
      }
      const { users } = await call(endpoints.channels.members, input, { signal: abort.signal })
      const others = users.filter(({ id }) => id !== meId).slice(0, MOST_PEOPLE)
      setFound(others.map(({ id, name }) => ({ kind: '@U', id, name })))
    }
    // Without the list a name can still be typed.
    const forget = (): void => {
      if (!abort.signal.aborted) setFound([])
    }
    const timer = setTimeout(() => void find().catch(forget), WAIT)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [channelId, meId, word])
  return word === null ? null : found
}

const fitting = (all: readonly Mention[], word: string | null): readonly Mention[] =>
  word === null
    ? []
    : all
        .map((mention) => ({ mention, rank: rankText(mention.name, word) }))
        .filter(({ rank }) => rank > 0)
        .toSorted((left, right) => right.rank - left.rank)
        .slice(0, MOST_OTHERS)
        .map(({ mention }) => mention)

interface MentionPickerProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly draft: ChannelDraft
  readonly onChange: (draft: ChannelDraft) => void
}

function MentionIcon({ mention }: { mention: Mention }) {
  if (mention.kind === '@M') return <Bot />
  if (mention.kind === '#C') return <Hash />
  return (
    <Avatar size="small" name={mention.name} id={mention.id} picture={personPicture(mention.id)} />
  )
}

/**
 * Menu of users and models after an at sign, and channels after a number sign. Enter selects,
 * Escape keeps the sign as text.
 */
export function MentionPicker({ box, draft, onChange }: MentionPickerProps) {
  const { t } = useTranslation()
  const { room, me, models, channels } = useRoom()
  const listId = useId()
  const at = useTypedWord(box, draft.text, '@')
  const number = useTypedWord(box, draft.text, '#')
  const typed = at.found ?? number.found
  const word = at.found?.word ?? null
  const people = usePeople(room.channelId, me.id, word)
  // Models are shown only after the users have loaded, so that the selection does not change just
  // as the user presses Enter.
  const list = at.found
    ? people === null
      ? []
      : [...people, ...fitting(models, word)]
    : fitting(channels, number.found?.word ?? null)
  const choose = (row: number): void => {
    const mention = list[row]
    if (!mention || !typed) return
    const next = replaceTypedWord(
      box.current?.value ?? draft.text,
      typed,
      `${mentionLabel(mention)} `,
    )
    const others = draft.mentions.filter(
      ({ kind, id }) => kind !== mention.kind || id !== mention.id,
    )
    onChange({ text: next.text, mentions: [...others, mention] })
    placeCaret(box, next.caret)
  }
  const { isOpen, index, goTo } = useTypedRows(box, {
    listId,
    word: typed?.word ?? null,
    count: list.length,
    onChoose: choose,
    onDismiss: () =>
      at.found ? at.dismiss(at.found.start) : number.found && number.dismiss(number.found.start),
  })
  if (!isOpen) return null
  return (
    <TypedList
      id={listId}
      label={t('channels.mention.label')}
      hint={t('channels.mention.hint')}
      entries={list.map((mention) => ({
        key: `${mention.kind} ${mention.id}`,
        icon: <MentionIcon mention={mention} />,
        label: mention.name,
        detail: t(
          `channels.mention.kind.${mention.kind === '@U' ? 'person' : mention.kind === '@M' ? 'model' : 'channel'}`,
        ),
      }))}
      activeIndex={index}
      onHover={goTo}
      onChoose={choose}
    />
  )
}
