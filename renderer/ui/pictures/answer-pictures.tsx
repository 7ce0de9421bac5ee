import './strings.ts'
import { Copy, Download, Ellipsis, Image, Maximize2, RefreshCw, WandSparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu, MenuItem } from '../floating/menu.tsx'
import { JobList, MakingState } from './job-line.tsx'
import { usePicture } from './known-pictures.ts'
import { addressOf, copyAndTell, savePicture } from './picture-actions.ts'
import { makePictures, useJobs } from './picture-jobs.ts'
import {
  type PictureEntry,
  type PicturePlace,
  type PictureRights,
  showPictures,
} from './shown-pictures.ts'

interface PicturesProps {
  readonly entries: readonly PictureEntry[]
  /** Message that stores pictures derived from these; null stores them only in the gallery. */
  readonly place: PicturePlace | null
  readonly rights: PictureRights
}

interface TileProps extends PicturesProps {
  readonly index: number
}

interface TileAction {
  readonly label: string
  readonly icon: ReactNode
  readonly act: () => void
}

/** Actions on a picture, shown below it: as buttons if there is space, otherwise in a menu. */
function TileActions({ entries, index, place, rights }: TileProps) {
  const { t } = useTranslation()
  const entry = entries[index]!
  const { id } = entry
  const show = (isEditing: boolean): void =>
    showPictures({ entries, index, place, rights, isEditing })
  const rows: readonly TileAction[] = [
    rights.mayMake &&
      id !== null && {
        label: t('pictures.again'),
        icon: <RefreshCw />,
        act: () => void makePictures({ kind: 'vary', sourceId: id, place }),
      },
    rights.mayEdit &&
      id !== null && { label: t('pictures.edit'), icon: <WandSparkles />, act: () => show(true) },
    { label: t('pictures.copy'), icon: <Copy />, act: () => copyAndTell(entry) },
    { label: t('pictures.download'), icon: <Download />, act: () => savePicture(entry) },
  ].filter((row) => row !== false)
  return (
    <>
      <div className="flex gap-0.5 max-sm:hidden pointer-coarse:hidden">
        {rows.map(({ label, icon, act }) => (
          <IconButton key={label} label={label} icon={icon} onClick={act} />
        ))}
      </div>
      <div className="hidden max-sm:flex pointer-coarse:flex">
        <Menu align="start" trigger={<IconButton label={t('pictures.more')} icon={<Ellipsis />} />}>
          <MenuItem icon={<Maximize2 />} onSelect={() => setTimeout(() => show(false))}>
            {t('pictures.gallery.open')}
          </MenuItem>
          {rows.map(({ label, icon, act }) => (
            <MenuItem key={label} icon={icon} onSelect={() => setTimeout(act)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </>
  )
}

function Tile(props: TileProps) {
  const { entries, index, place, rights } = props
  const { t } = useTranslation()
  const [isBroken, setBroken] = useState(false)
  const entry = entries[index]!
  const picture = usePicture(entry.id)
  const prompt = picture?.prompt || entry.name
  if (isBroken) {
    return (
      <p className="grid min-h-32 place-items-center rounded-medium border border-line bg-sunken p-4 text-center text-small text-muted">
        {t('pictures.broken')}
      </p>
    )
  }
  const size = picture && picture.width > 0 && { width: picture.width, height: picture.height }
  return (
    <figure className="group/picture flex min-w-0 flex-col gap-1">
      <button
        type="button"
        onClick={() => showPictures({ entries, index, place, rights, isEditing: false })}
        aria-label={t('pictures.enlarge', { name: prompt })}
        className="flex min-h-11 w-fit max-w-full min-w-11 cursor-zoom-in items-center justify-center overflow-hidden rounded-medium border border-line bg-sunken"
      >
        <img
          src={addressOf(entry)}
          alt={prompt}
          loading="lazy"
          decoding="async"
          {...size}
          onError={() => setBroken(true)}
          className={classNames(
            'block h-auto max-w-full',
            entries.length === 1 ? 'max-h-112 w-auto' : 'max-h-80 w-auto',
          )}
        />
      </button>
      <TileActions {...props} />
    </figure>
  )
}

/** The pictures of an answer. */
export function AnswerPictures(props: PicturesProps) {
  const { entries } = props
  const { t } = useTranslation()
  const jobs = useJobs(entries.flatMap(({ id }) => (id === null ? [] : [id])))
  return (
    <div className="my-3 flex flex-col gap-3">
      <ul
        aria-label={t('pictures.list')}
        className={classNames(
          'grid items-start gap-3',
          entries.length > 1 && 'grid-cols-2 max-[26rem]:grid-cols-1',
        )}
      >
        {entries.map((entry, index) => (
          <li key={entry.id ?? `${index} ${entry.url.slice(0, 64)}`} className="min-w-0">
            <Tile {...props} index={index} />
          </li>
        ))}
      </ul>
      <JobList jobs={jobs} />
    </div>
  )
}

interface PictureInMakingProps {
  /** Progress text of the gateway. */
  readonly description: string
  readonly done: number | null
  readonly total: number | null
}

/**
 * Placeholder of a picture being generated. Its steps are described with the texts of this page,
 * which are in the user's language.
 */
export function PictureInMaking({ description, done, total }: PictureInMakingProps) {
  const { t } = useTranslation()
  const label = total === null && description !== '' ? description : t('pictures.job.make')
  return (
    <div className="my-3 flex aspect-square w-full max-w-72 flex-col rounded-medium border border-line bg-sunken p-4">
      <Image
        strokeWidth={1.25}
        className="m-auto size-10 animate-pulse text-faint motion-reduce:animate-none"
      />
      <div className="flex">
        <MakingState label={label} done={done} total={total} />
      </div>
    </div>
  )
}
