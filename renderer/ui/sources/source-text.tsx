import { useMemo } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { splitTables } from './split-tables.ts'

/** Documents whose text is kept as Markdown. */
const IN_MARKDOWN = /\.(md|markdown|mdx|html?|docx?|odt|rtf|pptx?|odp|xlsx?|ods|epub|eml|ipynb)$/i

/** Whether the text of a source is Markdown; a page of the web is read as such. */
export const isInMarkdown = (name: string, isPage: boolean): boolean =>
  isPage || IN_MARKDOWN.test(name.trim())

interface SourceTextProps {
  readonly text: string
  readonly isMarkdown?: boolean
  readonly className?: string
}

/** The text of a source as people read it: nothing of it shows how headings and tables are written. */
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
          // oxlint-disable-next-line react/no-array-index-key -- a part of a text is its place
          <Markdown key={index} text={part} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a part of a text is its place
          <p key={index} dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {part.trim()}
          </p>
        ),
      )}
    </div>
  )
}
