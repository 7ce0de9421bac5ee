import type katex from 'katex'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { Block, type BlockProps, parseMarkdownIntoBlocks } from 'streamdown'
import { rehypePlugins, remarkPlugins } from './markdown-plugins.ts'
import { normalizeMath } from './normalize-math.ts'
import { PlainOnError } from './plain-on-error.tsx'
import { readFence } from './read-fence.ts'
import { toSafeLink } from './safe-link.ts'
import { languageOf, toText, type TreeNode } from './tree-node.ts'

interface ElementProps {
  readonly node?: TreeNode
  readonly children?: ReactNode
}

let library: typeof katex | null = null

/** Loads the formula library; without it formulas are shown as source. */
export async function loadStaticMarkdown(): Promise<void> {
  library ??= (await import('katex')).default
}

const OPTIONS = {
  output: 'mathml',
  throwOnError: true,
  strict: 'ignore',
  trust: false,
  maxExpand: 500,
  maxSize: 20,
} as const

/** A formula in MathML, which browsers render natively without fonts or styles. */
function StaticMath({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!library || !place.current) return
    try {
      library.render(source, place.current, { ...OPTIONS, displayMode: isDisplay })
    } catch {
      // Invalid formulas are shown as source.
      place.current.textContent = source
    }
  }, [source, isDisplay])
  return library ? (
    <span ref={place} className={isDisplay ? 'math-display' : undefined} dir="ltr" />
  ) : (
    <code dir="ltr">{source}</code>
  )
}

const StaticCode = ({ code, language }: { code: string; language: string }) => (
  <figure className="code-block" dir="ltr">
    {language && <figcaption className="code-language">{language}</figcaption>}
    <pre data-wrapped="">
      <code translate="no">{code}</code>
    </pre>
  </figure>
)

function StaticAnchor({ href, children }: ComponentProps<'a'>) {
  const url = toSafeLink(href)
  if (!url) return <>{children}</>
  return (
    <a href={url.href} rel="noreferrer nofollow">
      {children}
    </a>
  )
}

/** Pictures are not embedded; only their description or URL is kept. */
const StaticImage = ({ src, alt }: ComponentProps<'img'>) => (
  <>{alt?.trim() || toSafeLink(src)?.href}</>
)

function Preformatted({ node }: ElementProps) {
  const code = node?.children?.find((child) => child.tagName === 'code')
  const text = toText(code ?? node).replace(/\n$/, '')
  const language = languageOf(code)
  return language === 'math' ? (
    <StaticMath source={text} isDisplay />
  ) : (
    <StaticCode code={text} language={language} />
  )
}

const InlineCode = ({ node, children }: ElementProps) =>
  languageOf(node) === 'math' ? (
    <StaticMath source={toText(node)} isDisplay={false} />
  ) : (
    <code dir="ltr">{children}</code>
  )

const elements = {
  a: StaticAnchor,
  code: InlineCode,
  img: StaticImage,
  input: ({ checked }: ComponentProps<'input'>) => (
    <input type="checkbox" checked={checked === true} disabled readOnly />
  ),
  pre: Preformatted,
  table: ({ children }: ElementProps) => (
    <div className="table-box" dir="auto">
      <table>{children}</table>
    </div>
  ),
} as unknown as Record<string, ComponentType<Record<string, unknown>>>

function StaticBlock({ source }: { source: string }) {
  const fence = readFence(source)
  if (fence) return <StaticCode code={fence.code} language={fence.language} />
  return (
    <Block
      content={normalizeMath(source)}
      components={elements as BlockProps['components']}
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      shouldParseIncompleteMarkdown={false}
      shouldNormalizeHtmlIndentation={false}
      index={0}
      isIncomplete={false}
    />
  )
}

/**
 * Text of a model for printing and files: parsed and sanitised as on screen, without anything to
 * click, execute or load.
 */
export function StaticMarkdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdownIntoBlocks(text), [text])
  return (
    <div className="markdown" dir="auto">
      <PlainOnError text={text}>
        {blocks.map((block, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the text never changes, so the index identifies a block
          <StaticBlock key={index} source={block} />
        ))}
      </PlainOnError>
    </div>
  )
}
