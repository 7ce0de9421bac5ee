import { TextQuote } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/controls/button.tsx'
import { useChatView } from '../chat-context.ts'

interface Selected {
  readonly text: string
  /** Offset in pixels from the corner of the scroll container. */
  readonly x: number
  readonly y: number
}

const closestMessage = (node: Node | null): Element | null =>
  (node instanceof Element ? node : node?.parentElement)?.closest('[data-role="assistant"]') ?? null

/** Returns the text selected within one answer and its position. */
function readSelection(view: HTMLElement): Selected | null {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const message = closestMessage(selection.anchorNode)
  const text = selection.toString().trim()
  if (text === '' || !message || !view.contains(message)) return null
  if (message !== closestMessage(selection.focusNode)) return null
  const lines = selection.getRangeAt(0).getClientRects()
  const last = lines[lines.length - 1]
  if (!last) return null
  const place = view.getBoundingClientRect()
  return {
    text,
    x: Math.min(Math.max(last.right - place.left, 64), place.width - 64),
    y: last.bottom - place.top + view.scrollTop + 6,
  }
}

/** Returns the text as a Markdown quotation, followed by an empty line for the reply. */
export const toQuotation = (text: string): string =>
  `${text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n\n`

/** Button below a selection in an answer that quotes it. */
export function QuoteSelection({ view }: { view: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation()
  const { quote } = useChatView()
  const [selected, setSelected] = useState<Selected | null>(null)
  useEffect(() => {
    const read = (): void => setSelected(view.current && readSelection(view.current))
    // The button stays hidden while the user is still selecting.
    const begin = (): void => setSelected(null)
    const handleChange = (): void => {
      if (getSelection()?.isCollapsed !== false) setSelected(null)
    }
    document.addEventListener('pointerup', read)
    document.addEventListener('keyup', read)
    document.addEventListener('pointerdown', begin)
    document.addEventListener('selectionchange', handleChange)
    return () => {
      document.removeEventListener('pointerup', read)
      document.removeEventListener('keyup', read)
      document.removeEventListener('pointerdown', begin)
      document.removeEventListener('selectionchange', handleChange)
    }
  }, [view])
  if (!selected) return null
  return (
    <div
      className="absolute z-10 -translate-x-1/2 animate-appear"
      style={{ left: selected.x, top: selected.y }}
    >
      <Button
        icon={<TextQuote className="size-3.5" />}
        className="shadow-high"
        onPointerDown={(event) => {
          // Keeps the selection while the button is pressed.
          event.preventDefault()
          event.stopPropagation()
          event.nativeEvent.stopImmediatePropagation()
        }}
        onClick={() => {
          quote(toQuotation(selected.text))
          getSelection()?.removeAllRanges()
          setSelected(null)
        }}
      >
        {t('chat.quote')}
      </Button>
    </div>
  )
}
