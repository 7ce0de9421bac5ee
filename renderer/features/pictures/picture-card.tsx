import {
  Copy,
  Download,
  Ellipsis,
  Maximize2,
  MessageSquare,
  RefreshCw,
  Trash2,
  WandSparkles,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Picture } from '#contract/images.ts'
import { withBase } from '../../lib/base-path.ts'
import { formatAge, formatMoment } from '../../lib/format-time.ts'
import { chatPath, navigate } from '../../lib/router.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { JobList } from '../../ui/pictures/job-line.tsx'
import { copyAndTell, savePicture } from '../../ui/pictures/picture-actions.ts'
import { useChatOf } from '../../ui/pictures/known-pictures.ts'
import { makePictures, toEntry, useJobs } from '../../ui/pictures/picture-jobs.ts'
import type { PictureRights } from '../../ui/pictures/shown-pictures.ts'
import { keepPreview } from './keep-preview.ts'

interface PictureCardProps {
  readonly picture: Picture
  readonly rights: PictureRights
  readonly onOpen: (isEditing: boolean) => void
  readonly onRemove: () => void
}

function Actions({ picture, rights, onOpen, onRemove, name }: PictureCardProps & { name: string }) {
  const { t } = useTranslation()
  const { id } = picture
  const chat = useChatOf(picture)
  const entry = toEntry(picture)
  // The menu restores the focus first, so that the element opened next keeps it.
  const later = (act: () => void) => (): void => void setTimeout(act)
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          label={t('pictures.gallery.actionsOf', { name })}
          icon={<Ellipsis />}
        />
      }
    >
      <MenuItem icon={<Maximize2 />} onSelect={later(() => onOpen(false))}>
        {t('pictures.gallery.open')}
      </MenuItem>
      {rights.mayMake && picture.prompt !== '' && (
        <MenuItem
          icon={<RefreshCw />}
          onSelect={() => void makePictures({ kind: 'vary', sourceId: id, place: null })}
        >
          {t('pictures.again')}
        </MenuItem>
      )}
      {rights.mayEdit && (
        <MenuItem icon={<WandSparkles />} onSelect={later(() => onOpen(true))}>
          {t('pictures.edit')}
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => copyAndTell(entry)}>
        {t('pictures.copy')}
      </MenuItem>
      <MenuItem icon={<Download />} onSelect={() => savePicture(entry)}>
        {t('pictures.download')}
      </MenuItem>
      {chat && (
        <MenuItem
          icon={<MessageSquare />}
          onSelect={later(() => navigate(chatPath(chat.chatId, chat.messageId)))}
        >
          {t('pictures.gallery.openChat')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={later(onRemove)}>
        {t('pictures.gallery.delete')}
      </MenuItem>
    </Menu>
  )
}

/** One picture of the gallery with its parameters. */
export function PictureCard(props: PictureCardProps) {
  const { picture, onOpen } = props
  const { t } = useTranslation()
  const [isBroken, setBroken] = useState(false)
  const [preview, setPreview] = useState(picture.preview)
  const jobs = useJobs([picture.id])
  const { prompt, model, width, height, seed, created_at: createdAt } = picture
  const name = prompt || t('pictures.gallery.noPrompt')
  const facts = [
    width > 0 ? t('pictures.facts.pixels', { width, height }) : null,
    seed === null ? null : `${t('pictures.facts.seed')} ${seed}`,
  ].filter((fact) => fact !== null)
  return (
    <article className="flex h-full min-w-0 flex-col overflow-hidden rounded-large border border-line bg-raised">
      <button
        type="button"
        onClick={() => onOpen(false)}
        aria-label={t('pictures.enlarge', { name })}
        className="block aspect-square w-full cursor-zoom-in overflow-hidden bg-sunken focus-visible:-outline-offset-2"
      >
        {isBroken ? (
          <span className="grid size-full place-items-center p-4 text-small text-muted">
            {t('pictures.broken')}
          </span>
        ) : (
          <img
            src={withBase(preview ?? picture.url)}
            alt=""
            loading="lazy"
            decoding="async"
            onLoad={({ currentTarget }) => keepPreview(picture, currentTarget)}
            onError={() => (preview === null ? setBroken(true) : setPreview(null))}
            className="size-full object-cover transition-opacity duration-(--motion-in) hover:opacity-90"
          />
        )}
      </button>
      <div className="flex min-w-0 flex-1 flex-col gap-1 p-3">
        <div className="flex items-start gap-1">
          <h2 dir="auto" className="line-clamp-2 min-w-0 flex-1 text-ui text-pretty wrap-anywhere">
            {name}
          </h2>
          <Actions {...props} name={name} />
        </div>
        <p className="mt-auto text-small wrap-anywhere text-muted">
          {model !== '' && <bdi className="block truncate">{model}</bdi>}
          {facts.length > 0 && <span className="block tabular-nums">{facts.join(' · ')}</span>}
          <time
            dateTime={new Date(createdAt * 1000).toISOString()}
            title={formatMoment(createdAt)}
            className="block"
          >
            {formatAge(createdAt)}
          </time>
        </p>
        <JobList jobs={jobs} />
      </div>
    </article>
  )
}
