import { X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { announce } from '../../../ui/layout/live-region.tsx'
import { withBase } from '../../../lib/base-path.ts'
import { AttachmentIcon } from '../../../ui/attachments/attachment-icon.tsx'
import { toShownFile } from '../../../ui/attachments/shown-file.ts'

interface KeptFilesProps {
  readonly files: readonly unknown[]
  readonly onChange: (files: readonly unknown[]) => void
  /** Called when the last file was removed by keyboard or mouse; the focus needs another target. */
  readonly onEmptied: () => void
}

/** Attachments sent again with an edited message; each can be removed. */
export function KeptFiles({ files, onChange, onEmptied }: KeptFilesProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef<number | null>(null)
  // The chips are identified by position, so the neighbour can be found only after the others have
  // moved up.
  useLayoutEffect(() => {
    if (removed.current === null) return
    const row = list.current?.children[Math.min(removed.current, files.length - 1)]
    removed.current = null
    row?.querySelector<HTMLElement>('[data-chip-remove]')?.focus()
  }, [files])
  const remove = (index: number, name: string): void => {
    removed.current = index
    if (files.length === 1) onEmptied()
    onChange(files.filter((_, place) => place !== index))
    announce(t('chat.attachments.removed', { name }))
  }
  return (
    <ul
      ref={list}
      aria-label={t('chat.attachments.title')}
      className="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto px-1 pt-1 pb-2"
    >
      {files.map((value, index) => {
        const { name, kind, url } = toShownFile(
          value,
          t('chat.files.untitled', { number: index + 1 }),
        )
        return (
          <li
            // oxlint-disable-next-line react/no-array-index-key -- files may have no other key than their index
            key={index}
            className="flex max-w-64 min-w-0 items-center gap-2 rounded-medium border border-line bg-sunken py-1 ps-2.5 pe-1 text-small"
          >
            <span className="shrink-0 text-muted [&_img]:size-7 [&_img]:rounded-small [&_img]:object-cover [&_svg]:size-4">
              {kind === 'image' && url ? (
                <img src={withBase(url)} alt="" />
              ) : (
                <AttachmentIcon type={kind} />
              )}
            </span>
            <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
            <IconButton
              size="small"
              label={t('chat.attachments.remove', { name })}
              icon={<X />}
              data-chip-remove=""
              onClick={() => remove(index, name)}
            />
          </li>
        )
      })}
    </ul>
  )
}
