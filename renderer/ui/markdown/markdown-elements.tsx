import { ImageOff } from 'lucide-react'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showPictures } from '../pictures/shown-pictures.ts'
import { CitationMark } from './citation-mark.tsx'
import { CodeBlock } from './code-block.tsx'
import { isDataPicture } from './data-picture.ts'
import { ExternalLink } from './external-link.tsx'
import { MentionChip } from './mention-chip.tsx'
import { MathView } from './math-view.tsx'
import { linkPlace, toSafeLink } from './safe-link.ts'
import { TableView } from './table-view.tsx'
import { languageOf, toText, type TreeNode } from './tree-node.ts'

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

/** A picture that came with the text; it opens large like those that are stored. */
function DataPicture({ src, label }: { src: string; label: string }) {
  const { t } = useTranslation()
  const show = (): void =>
    showPictures({
      entries: [{ id: null, url: src, name: label }],
      index: 0,
      place: null,
      rights: { mayMake: false, mayEdit: false },
      isEditing: false,
    })
  return (
    <button
      type="button"
      aria-label={t('chat.files.enlarge', { name: label })}
      className="picture-in-text"
      onClick={show}
    >
      <img src={src} alt={label} />
    </button>
  )
}

/**
 * Pictures from elsewhere would tell a stranger that this was read, so they are only offered as
 * links.
 */
function Picture({ src, alt }: ComponentProps<'img'>) {
  const { t } = useTranslation()
  const url = toSafeLink(src)
  const label = alt?.trim() || t('chat.image.untitled')
  if (isDataPicture(src)) return <DataPicture src={src} label={label} />
  if (!url) return <span className="image-chip">{label}</span>
  return (
    <span className="image-chip">
      <ImageOff aria-hidden="true" />
      <ExternalLink href={url.href}>
        {t('chat.image.open', { label, host: linkPlace(url) })}
      </ExternalLink>
    </span>
  )
}

const findImage = (node: TreeNode | undefined): TreeNode | undefined =>
  node?.tagName === 'img'
    ? node
    : node?.children?.map(findImage).find((found) => found !== undefined)

/**
 * A picture that is a link becomes the link alone. Addresses inside the answer lead nowhere: ids do
 * not hold across a chat.
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

/** How the parser's elements are drawn. */
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
