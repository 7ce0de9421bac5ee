import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { explainFault } from '../../lib/explain-fault.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath, workspacePath } from '../../lib/router.ts'
import { showDocument } from '../document-viewer/shown-document.ts'
import { ExternalLink } from '../markdown/external-link.tsx'
import { AttachmentIcon } from './attachment-icon.tsx'
import { showPictures } from '../pictures/shown-pictures.ts'
import { type ShownFile, toShownFile } from './shown-file.ts'
import { withBase } from '../../lib/base-path.ts'

const CHIP =
  'flex min-h-8 max-w-72 items-center gap-2 rounded-medium border px-2.5 py-1 text-start text-small text-ink no-underline pointer-coarse:min-h-11'

const pathOf = ({ kind, id }: ShownFile): string | null => {
  if (id === null) return null
  if (kind === 'note') return workspacePath('notes', id)
  if (kind === 'collection') return workspacePath('knowledge', id)
  return kind === 'chat' ? chatPath(id) : null
}

/**
 * Returns a function that shows an attachment over the conversation; null for one that cannot be
 * shown there.
 */
function openerOf({ name, kind, id, url, text }: ShownFile): (() => void) | null {
  if (kind === 'text')
    return text === null ? null : () => showDocument({ kind: 'text', name, text })
  if (kind !== 'file' && kind !== 'image') return null
  if (id !== null) return () => showDocument({ kind: 'file', id, name, place: null })
  return kind === 'image' && url !== null
    ? () => showDocument({ kind: 'picture', name, address: withBase(url) })
    : null
}

interface ChipBodyProps {
  readonly file: ShownFile
  /** True in a question, whose answer leaves out a file with a problem. */
  readonly isOwn: boolean
}

function ChipBody({ file, isOwn }: ChipBodyProps) {
  const { t } = useTranslation()
  const { size } = file
  const problem = file.problem === null ? null : explainFault({ detail: file.problem })
  // Isolated, as it may be in another language than the words around it.
  const told = isOwn ? t('chat.files.leftOut', { problem: `\u2068${problem}\u2069` }) : problem
  const detail = problem === null ? size !== null && formatBytes(size) : told
  return (
    <>
      <span className="shrink-0 text-muted [&_svg]:size-4">
        <AttachmentIcon type={file.kind} />
      </span>
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{file.name}</bdi>
        {detail && (
          <span
            dir="auto"
            className={classNames(
              'block text-tiny text-pretty',
              file.problem ? 'text-danger' : 'text-muted',
            )}
          >
            {detail}
          </span>
        )}
      </span>
    </>
  )
}

const isShownPicture = ({ isImage, url }: ShownFile): boolean => isImage && url !== null

/** Shows a picture over the window, with navigation to its neighbours. */
function enlarge(file: ShownFile, files: readonly ShownFile[]): void {
  const pictures = files.filter(isShownPicture)
  showPictures({
    entries: pictures.map(({ url, name }) => ({ id: null, url: url!, name })),
    index: pictures.indexOf(file),
    place: null,
    rights: { mayMake: false, mayEdit: false },
    isEditing: false,
  })
}

interface FileViewProps extends ChipBodyProps {
  readonly onEnlarge: () => void
}

function FileView({ file, isOwn, onEnlarge }: FileViewProps) {
  const { t } = useTranslation()
  const { name, url, page, problem } = file
  const open = openerOf(file)
  const path = pathOf(file)
  const look = classNames(CHIP, problem ? 'border-danger bg-danger-soft' : 'border-line bg-sunken')
  const hover = 'hover:border-edge'
  if (isShownPicture(file)) {
    return (
      <button
        type="button"
        onClick={onEnlarge}
        aria-label={t('chat.files.enlarge', { name })}
        className="block cursor-zoom-in rounded-medium"
      >
        <img
          src={withBase(url!)}
          alt=""
          loading="lazy"
          className="max-h-80 max-w-full rounded-medium border border-line"
        />
      </button>
    )
  }
  const body: ReactNode = <ChipBody file={file} isOwn={isOwn} />
  if (open) {
    return (
      <button type="button" onClick={open} className={classNames(look, hover)}>
        {body}
      </button>
    )
  }
  if (path) {
    return (
      <a href={path} onClick={handleLink} className={classNames(look, hover)}>
        {body}
      </a>
    )
  }
  if (page) {
    return (
      <ExternalLink href={page} className={classNames(look, hover)}>
        {body}
      </ExternalLink>
    )
  }
  return <span className={look}>{body}</span>
}

interface MessageFilesProps {
  readonly files: readonly unknown[]
  /** True to align at the end of the line, as the user's own messages. */
  readonly isOwn?: boolean
}

/** Attachments of a message: pictures inline, everything else by name; a press opens one. */
export function MessageFiles({ files, isOwn = false }: MessageFilesProps) {
  const { t } = useTranslation()
  const shown = files.map((value, index) =>
    toShownFile(value, t('chat.files.untitled', { number: index + 1 })),
  )
  return (
    <ul
      aria-label={t('chat.files.list')}
      className={classNames('my-2 flex max-w-full flex-wrap gap-2', isOwn && 'justify-end')}
    >
      {shown.map((file, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- files may have no other key than their index
        <li key={index} className="min-w-0">
          <FileView file={file} isOwn={isOwn} onEnlarge={() => enlarge(file, shown)} />
        </li>
      ))}
    </ul>
  )
}
