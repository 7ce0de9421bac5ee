import { ListTree } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx'
import { findHeadings, type Heading } from './find-headings.ts'

const LONG = 1500
const FEWEST = 3
const DEEPEST = 3

/** Scrolls to a heading of the answer and focuses it, so that reading continues there. */
function goTo(answer: Element | null, index: number): void {
  const heading = answer?.querySelectorAll<HTMLElement>('.markdown :is(h1, h2, h3, h4)')[index]
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  heading.scrollIntoView({ block: 'start' })
}

const INDENTS = ['', 'ps-3', 'ps-6', 'ps-9']

function toLines(headings: readonly Heading[]) {
  const top = Math.min(...headings.map(({ level }) => level))
  return headings
    .map((heading, index) => ({ ...heading, index, depth: heading.level - top }))
    .filter(({ depth }) => depth < DEEPEST)
}

/** The headings of a long answer as links. */
export function AnswerOutline({ text }: { text: string }) {
  const { t } = useTranslation()
  const button = useRef<HTMLSpanElement>(null)
  const chosen = useRef<number | null>(null)
  const headings = useMemo(() => (text.length < LONG ? [] : findHeadings(text)), [text])
  if (headings.length < FEWEST) return null
  return (
    <span ref={button} className="ms-auto">
      <Menu
        trigger={<IconButton label={t('chat.outline')} icon={<ListTree />} />}
        onCloseAutoFocus={(event) => {
          if (chosen.current === null) return
          event.preventDefault()
          goTo(button.current?.closest('article') ?? null, chosen.current)
          chosen.current = null
        }}
      >
        {toLines(headings).map(({ index, depth, text: words }) => (
          <MenuItem
            key={index}
            onSelect={() => {
              chosen.current = index
            }}
          >
            <bdi className={`max-w-72 truncate ${INDENTS[depth] ?? ''}`}>{words}</bdi>
          </MenuItem>
        ))}
      </Menu>
    </span>
  )
}
