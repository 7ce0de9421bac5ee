import { FileText } from 'lucide-react'
import { useTranslation } from 'react-i18next'

interface ShownFile {
  readonly name: string
  /** Address to read it from; null when it is none of this gateway. */
  readonly url: string | null
  readonly isImage: boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Only what this gateway holds, or the message itself, is loaded: pictures elsewhere would tell their host who reads this. */
const isOwn = (url: string): boolean => /^\/api\/v1\/files\/[\w/-]+$/.test(url) || /^data:image\/(png|jpeg|gif|webp|avif);/.test(url)

/** Files come in several shapes; what matters is a name, an address and whether it can be shown as a picture. */
export function toShownFile(value: unknown, fallback: string): ShownFile {
  const outer = isRecord(value) ? value : {}
  const inner = isRecord(outer.file) ? outer.file : outer
  const url = toText(outer.url) || toText(inner.url)
  const type = toText(outer.type) || toText(outer.content_type)
  return {
    name: (toText(outer.name) || toText(inner.filename) || toText(inner.name) || fallback).slice(0, 200),
    url: isOwn(url) ? url : null,
    isImage: type.startsWith('image') || url.startsWith('data:image/'),
  }
}

function FileView({ file }: { file: ShownFile }) {
  const { name, url, isImage } = file
  if (isImage && url) return <img src={url} alt={name} loading="lazy" className="max-h-80 max-w-full rounded-medium border border-line" />
  const chip =
    'flex min-h-8 max-w-64 items-center gap-2 rounded-medium border border-line bg-sunken px-2.5 py-1 text-small pointer-coarse:min-h-11'
  const content = (
    <>
      <FileText aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <bdi className="truncate">{name}</bdi>
    </>
  )
  if (!url || url.startsWith('data:')) return <span className={chip}>{content}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className={chip}>
      {content}
    </a>
  )
}

/** Files of a message: pictures as such, others by name. */
export function MessageFiles({ files }: { files: readonly unknown[] }) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('chat.files.list')} className="my-2 flex max-w-full flex-wrap gap-2">
      {files.map((value, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a file may have no name but its place
        <li key={index} className="min-w-0">
          <FileView file={toShownFile(value, t('chat.files.untitled', { number: index + 1 }))} />
        </li>
      ))}
    </ul>
  )
}
