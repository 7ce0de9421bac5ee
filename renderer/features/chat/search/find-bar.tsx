import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { registerCommand } from '../../../lib/commands.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import { chatDeps } from '../chat-registry.ts'
import { chatViewStore } from '../chat-view-store.ts'
import './find-bar.css'
import { findMessages, findRanges } from './find-messages.ts'
import { canMark, drawnMessages, findDrawn, followMessages } from '../messages/follow-messages.ts'
import { readBackTo } from '../load-chat.ts'
import { toastError } from '../../../ui/floating/toast.tsx'

const ALL = 'found'
const CURRENT = 'found-current'

/**
 * Highlights every match in the rendered text, and scrolls the first one of the current message
 * into view.
 */
function markPlaces(query: string, current: string | undefined): void {
  if (!canMark) return
  const view = drawnMessages()
  const place = current === undefined ? null : findDrawn(current)
  const places = place ? findRanges(place, query) : []
  CSS.highlights.set(ALL, new Highlight(...(view ? findRanges(view, query) : [])))
  CSS.highlights.set(CURRENT, new Highlight(...places))
  places[0]?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
}

function clearMarks(): void {
  if (!canMark) return
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}

const close = (): void => chatViewStore.setState({ isFinding: false })

/** Keeps the highlights correct while messages are rendered, grow and collapse. */
function useMarks(query: string, current: string | undefined): void {
  useEffect(() => followMessages(() => markPlaces(query, current)), [query, current])
  useEffect(() => clearMarks, [])
}

/** Searches the whole open chat, including messages that are not rendered. */
export function FindBar({ onShow }: { onShow: (messageId: string) => void }) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  const order = useChat((state) => state.order)
  const messages = useChat((state) => state.messages)
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const wanted = useDeferredValue(query)
  const found = useMemo(() => findMessages(order, messages, wanted), [order, messages, wanted])
  // Starts with the newest message, since that is where the reader is.
  const position = place !== null && found.includes(place) ? found.indexOf(place) : found.length - 1
  const current = found[position]
  useMarks(wanted, current)

  useEffect(() => {
    readBackTo(chat.store, chatDeps).catch(toastError)
  }, [chat])
  useEffect(() => {
    const focus = (): void => {
      input.current?.focus()
      input.current?.select()
    }
    focus()
    return registerCommand('chat.find', focus)
  }, [])
  const show = useRef(onShow)
  useEffect(() => {
    show.current = onShow
  })
  useEffect(() => {
    if (current !== undefined) show.current(current)
  }, [current])

  const step = (by: number): void => {
    if (found.length > 0) setPlace(found[(position + by + found.length) % found.length]!)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }
  const isSearched = wanted.trim() !== ''
  const count =
    found.length === 0
      ? t('chat.find.none')
      : t('chat.find.place', { position: position + 1, total: found.length })
  return (
    <search className="absolute end-3 top-1 z-20 flex max-w-[calc(100%-1.5rem)] items-center gap-0.5 rounded-medium border border-line bg-raised ps-3 pe-1 shadow-high sm:end-6">
      <Search className="size-4 shrink-0 text-muted" />
      <input
        ref={input}
        type="text"
        dir="auto"
        value={query}
        aria-label={t('chat.find.label')}
        placeholder={t('chat.find.label')}
        onChange={(event) => {
          setPlace(null)
          setQuery(event.target.value)
        }}
        onKeyDown={handleKey}
        className="h-10 w-48 min-w-0 flex-1 bg-transparent px-2 text-ui outline-none"
      />
      <output className="shrink-0 px-1 text-small text-muted tabular-nums">
        {isSearched && count}
      </output>
      <IconButton
        label={t('chat.find.previous')}
        icon={<ChevronUp />}
        disabled={found.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        label={t('chat.find.next')}
        icon={<ChevronDown />}
        disabled={found.length === 0}
        onClick={() => step(1)}
      />
      <IconButton label={t('common.close')} icon={<X />} onClick={close} />
    </search>
  )
}
