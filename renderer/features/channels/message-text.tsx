import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import './emoji/sign.css'
import './message-text.css'

const LONG_LENGTH = 4000
const LONG_LINES = 40

/** Matches one to three emoji without other text, which are shown large. */
const FEW_SIGNS = /^(?:\p{RGI_Emoji}\s*){1,3}$/v

const isLong = (text: string): boolean =>
  text.length > LONG_LENGTH || text.split('\n', LONG_LINES + 1).length > LONG_LINES

/** Text of a message as Markdown that preserves line breaks. Long texts are truncated. */
export function MessageText({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (FEW_SIGNS.test(text.trim())) return <p className="emoji-sign text-head-3">{text.trim()}</p>
  const isFolded = !isGrowing && !isOpen && isLong(text)
  return (
    <div className="written">
      <div className={isFolded ? 'written-folded' : undefined} inert={isFolded}>
        <Markdown text={text} isGrowing={isGrowing} />
      </div>
      {(isFolded || (isOpen && isLong(text))) && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 min-h-6 rounded-small text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
        >
          {isOpen ? t('channels.message.less') : t('channels.message.all')}
        </button>
      )}
    </div>
  )
}
