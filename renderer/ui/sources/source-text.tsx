import { useMemo } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { splitTables } from './split-tables.ts'

/** Matches documents whose text is stored as Markdown. */
const IN_MARKDOWN = /\.(md|markdown|mdx|html?|docx?|odt|rtf|pptx?|odp|xlsx?|ods|epub|eml|ipynb)$/i

/** True if the text of a source is Markdown, which includes web pages. */
export const isInMarkdown = (name: string, isPage: boolean): boolean =>
  isPage || IN_MARKDOWN.test(name.trim())

interface SourceTextProps {
  readonly text: string
  readonly isMarkdown?: boolean
  readonly className?: string
}

/** The text of a source, with its headings and tables rendered. */
export function SourceText({ text, isMarkdown = false, className }: SourceTextProps) {
  const parts = useMemo(() => (isMarkdown ? [] : splitTables(text)), [text, isMarkdown])
  if (isMarkdown)
    return (
      <div dir="auto" className={className}>
        <Markdown text={text} />
      </div>
    )
  return (
    <div className={classNames('flex flex-col gap-2', className)}>
      {parts.map(({ kind, text: part }, index) =>
        kind === 'table' ? (
          // oxlint-disable-next-line react/no-array-index-key -- a part of a text is identified by its index
          <Markdown key={index} text={part} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a part of a text is identified by its index
          <p key={index} dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {part.trim()}
          </p>
        ),
      )}
    </div>
  )
}
