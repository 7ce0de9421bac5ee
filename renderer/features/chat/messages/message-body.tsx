import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const LONG_LENGTH = 1500
const LONG_LINES = 18

/**
 * Returns the beginning of a long text, cut at the end of a line or word; null if the whole text is
 * short.
 */
export function toExcerpt(text: string): string | null {
  const lines = text.split('\n', LONG_LINES + 1)
  if (text.length <= LONG_LENGTH && lines.length <= LONG_LINES) return null
  const start = lines.slice(0, LONG_LINES).join('\n').slice(0, LONG_LENGTH)
  return `${start.trimEnd()}…`
}

/** Text of a user message, shown verbatim. Long texts are truncated. */
export function WrittenText({ text }: { text: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const excerpt = toExcerpt(text)
  return (
    <>
      <p className="whitespace-pre-wrap wrap-anywhere">
        {excerpt !== null && !isOpen ? excerpt : text}
      </p>
      {excerpt !== null && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="mt-1 -mb-1 min-h-6 rounded-small text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('chat.message.less') : t('chat.message.showAll')}
        </button>
      )}
    </>
  )
}
