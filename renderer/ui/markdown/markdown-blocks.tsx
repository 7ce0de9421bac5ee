import { createRoot } from 'react-dom/client'
import remend from 'remend'
import { memo, useMemo } from 'react'
import { Block, type BlockProps, parseMarkdownIntoBlocks } from 'streamdown'
import { CodeBlock } from './code-block.tsx'
import { Diagram } from './diagram.tsx'
import { markdownElements } from './markdown-elements.tsx'
import { rehypePlugins, remarkPlugins } from './markdown-plugins.ts'
import { normalizeMath } from './normalize-math.ts'
import { readFence } from './read-fence.ts'

const REPAIRS = { linkMode: 'text-only', htmlTags: false, inlineKatex: false } as const

interface MarkdownBlockProps {
  readonly source: string
  /** True for the last block while the text grows; its unclosed markup is completed. */
  readonly isGrowing: boolean
}

const MarkdownBlock = memo(function MarkdownBlock({ source, isGrowing }: MarkdownBlockProps) {
  const fence = readFence(source)
  if (fence) {
    const isClosed = fence.isClosed || !isGrowing
    if (fence.language === 'mermaid' && isClosed) return <Diagram source={fence.code} />
    return <CodeBlock code={fence.code} language={fence.language} isClosed={isClosed} />
  }
  const normal = normalizeMath(source)
  return (
    <Block
      content={isGrowing ? remend(normal, REPAIRS) : normal}
      components={markdownElements as BlockProps['components']}
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      shouldParseIncompleteMarkdown={false}
      shouldNormalizeHtmlIndentation={false}
      index={0}
      isIncomplete={false}
    />
  )
})

/** Text rendered block by block; while it grows only the last block is re-rendered. */
export function MarkdownBlocks({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const blocks = useMemo(() => parseMarkdownIntoBlocks(text), [text])
  // oxlint-disable-next-line react/no-array-index-key -- finished blocks never move, so the index identifies a block
  return blocks.map((block, index) => (
    <MarkdownBlock
      key={index}
      source={block}
      isGrowing={isGrowing && index === blocks.length - 1}
    />
  ))
}

const SAMPLE =
  'A *word* with `code`, **more** and a [link](https://example.org).\n\n- one\n- two\n\n## Head\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```text\nx\n```'

/** Renders a small text off screen, so that the code for the first real one is already compiled. */
export function warmUp(): void {
  const root = createRoot(document.createElement('div'))
  root.render(<MarkdownBlocks text={SAMPLE} isGrowing={false} />)
  setTimeout(() => root.unmount(), 1000)
}
