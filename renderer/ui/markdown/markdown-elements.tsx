import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CitationMark } from './citation-mark.tsx'
import { CodeBlock } from './code-block.tsx'
import { isDataPicture } from './data-picture.ts'
import { DataPicture } from './data-picture-view.tsx'
import { ExternalLink } from './external-link.tsx'
import { MentionChip } from './mention-chip.tsx'
import { MathView } from './math-view.tsx'
import { RemotePicture } from './remote-picture.tsx'
import { toSafeLink } from './safe-link.ts'
import { TableView } from './table-view.tsx'
import { languageOf, toText, type TreeNode } from './tree-node.ts'
import './scroll-edge.css'

interface ElementProps {
  readonly node?: TreeNode
  readonly children?: ReactNode
  readonly className?: string
}

function InlineCode({ node, children }: ElementProps) {
  if (languageOf(node) === 'math') return <MathView source={toText(node)} isDisplay={false} />
  return (
    <code dir="ltr" translate="no">
      {children}
    </code>
  )
}

function Preformatted({ node }: ElementProps) {
  const code = node?.children?.find((child) => child.tagName === 'code')
  const language = languageOf(code)
  const text = toText(code ?? node).replace(/\n$/, '')
  return language === 'math' ? (
    <MathView source={text} isDisplay />
  ) : (
    <CodeBlock code={text} language={language} />
  )
}

/** Pictures contained in the text are shown immediately, external ones on request. */
function Picture({ src, alt }: ComponentProps<'img'>) {
  const { t } = useTranslation()
  const label = alt?.trim() || t('chat.image.untitled')
  if (isDataPicture(src)) return <DataPicture src={src} label={label} />
  const url = toSafeLink(src)
  if (!url) return <span className="image-chip">{label}</span>
  return <RemotePicture url={url} label={label} />
}

const findImage = (node: TreeNode | undefined): TreeNode | undefined =>
  node?.tagName === 'img'
    ? node
    : node?.children?.map(findImage).find((found) => found !== undefined)

/**
 * A picture inside a link is reduced to the link. In-page anchors are not linked: ids are not
 * unique within a chat.
 */
function Anchor({ href, node, children }: ComponentProps<'a'> & ElementProps) {
  const { t } = useTranslation()
  const image = findImage(node)
  const alt = image?.properties?.alt
  return (
    <ExternalLink href={href}>
      {image ? (typeof alt === 'string' && alt) || t('chat.image.untitled') : children}
    </ExternalLink>
  )
}

function TaskMark({ checked }: ComponentProps<'input'>) {
  const { t } = useTranslation()
  return (
    <input
      type="checkbox"
      checked={checked === true}
      disabled
      readOnly
      aria-label={checked ? t('chat.task.done') : t('chat.task.open')}
    />
  )
}

/** Components for the parser's elements. */
export const markdownElements = {
  a: Anchor,
  cite: CitationMark,
  code: InlineCode,
  img: Picture,
  input: TaskMark,
  mention: MentionChip,
  pre: Preformatted,
  table: TableView,
} as Record<string, ComponentType<Record<string, unknown>>>
