import './strings.ts'
import { Copy, Download, RefreshCw, WandSparkles, X, ZoomIn, ZoomOut } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { announce } from '../layout/live-region.tsx'
import { useReturnFocus } from '../dialogs/return-focus.ts'
import { PromptForm } from './prompt-form.tsx'
import { JobList } from './job-line.tsx'
import { usePicture } from './known-pictures.ts'
import { PictureStage } from './picture-stage.tsx'
import { PictureFacts } from './picture-facts.tsx'
import { useZoom, type ZoomControl } from './use-zoom.ts'
import { copyAndTell, savePicture } from './picture-actions.ts'
import { makePictures, useJobs } from './picture-jobs.ts'
import {
  closePictures,
  type PictureEntry,
  showPictures,
  type ShownPictures,
  shownPicturesStore,
  turnTo,
} from './shown-pictures.ts'

const isTyping = ({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  target instanceof HTMLTextAreaElement || altKey || ctrlKey || metaKey

/** Handles zoom keys, unless the user is typing. */
function zoomByKeys(event: KeyboardEvent, control: ZoomControl): void {
  if (isTyping(event)) return
  if (event.key === '+' || event.key === '=') control.grow()
  else if (event.key === '-') control.shrink()
  else if (event.key === '0') control.fit()
}

/** Handles keys that turn pages, unless the user is typing or moving an enlarged picture. */
function handleKeys(event: KeyboardEvent, { index, entries }: ShownPictures): void {
  if (isTyping(event)) return
  if (event.target instanceof HTMLElement && event.target.role === 'group') return
  const isMirrored = document.documentElement.dir === 'rtl'
  const pages: Readonly<Record<string, number>> = {
    ArrowLeft: index + (isMirrored ? 1 : -1),
    ArrowRight: index + (isMirrored ? -1 : 1),
    Home: 0,
    End: entries.length - 1,
  }
  const next = pages[event.key]
  if (next === undefined) return
  event.preventDefault()
  turnTo(next)
}

/** Focuses the sheet itself, so that no button's tooltip opens. */
function focusSheet(event: Event): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).focus()
}

function Bar({
  shown,
  entry,
  control,
}: {
  shown: ShownPictures
  entry: PictureEntry
  control: ZoomControl
}) {
  const { t, i18n } = useTranslation()
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' })
  const { rights, place, index, entries, isEditing } = shown
  const { id } = entry
  return (
    <div className="flex h-header shrink-0 items-center gap-0.5 px-2">
      <p className="min-w-0 flex-1 truncate px-2 text-small text-muted tabular-nums">
        {entries.length > 1 &&
          t('pictures.viewer.position', { number: index + 1, total: entries.length })}
      </p>
      <output className="px-1 text-small text-muted tabular-nums">
        {control.zoom !== null && percent.format(control.zoom)}
      </output>
      <IconButton
        label={t('pictures.viewer.zoomOut')}
        icon={<ZoomOut />}
        disabled={!control.canShrink}
        onClick={control.shrink}
      />
      <IconButton
        label={t('pictures.viewer.zoomIn')}
        icon={<ZoomIn />}
        disabled={!control.canGrow}
        onClick={control.grow}
      />
      {rights.mayMake && id !== null && (
        <IconButton
          label={t('pictures.again')}
          icon={<RefreshCw />}
          onClick={() => void makePictures({ kind: 'vary', sourceId: id, place })}
        />
      )}
      {rights.mayEdit && id !== null && (
        <IconButton
          label={t('pictures.edit')}
          icon={<WandSparkles />}
          aria-pressed={isEditing}
          className={classNames(isEditing && 'bg-pressed text-ink')}
          onClick={() => showPictures({ ...shown, isEditing: !isEditing })}
        />
      )}
      <IconButton label={t('pictures.copy')} icon={<Copy />} onClick={() => copyAndTell(entry)} />
      <IconButton
        label={t('pictures.download')}
        icon={<Download />}
        onClick={() => savePicture(entry)}
      />
      <Radix.Close asChild>
        <IconButton label={t('pictures.close')} icon={<X />} />
      </Radix.Close>
    </div>
  )
}

interface SheetProps {
  readonly shown: ShownPictures
  readonly image: RefObject<HTMLImageElement | null>
  readonly control: ZoomControl
}

function Sheet({ shown, image, control }: SheetProps) {
  const { t } = useTranslation()
  const { entries, index, place, isEditing } = shown
  const entry = entries[index]!
  const picture = usePicture(entry.id)
  const jobs = useJobs(entries.flatMap(({ id }) => (id === null ? [] : [id])))
  const name = picture?.prompt || entry.name
  useEffect(() => {
    if (entries.length > 1)
      announce(
        `${t('pictures.viewer.position', { number: index + 1, total: entries.length })}: ${name}`,
      )
    // oxlint-disable-next-line react/exhaustive-deps -- announced when another picture is shown, not when its details arrive
  }, [entry.url])
  return (
    <>
      <Radix.Title className="sr-only">{t('pictures.viewer.title')}</Radix.Title>
      <Bar shown={shown} entry={entry} control={control} />
      <PictureStage shown={shown} name={name} image={image} control={control} />
      <div className="mx-auto flex max-h-[45dvh] w-0 max-w-3xl min-w-full shrink-0 flex-col gap-3 overflow-y-auto px-4 pt-3 pb-4">
        <JobList jobs={jobs} />
        {isEditing && entry.id !== null && (
          <PromptForm
            key={entry.id}
            label={t('pictures.viewer.change')}
            placeholder={t('pictures.viewer.changePlaceholder')}
            makeLabel={t('pictures.viewer.make')}
            isFocused
            beside={
              <Button tone="quiet" onClick={() => showPictures({ ...shown, isEditing: false })}>
                {t('common.cancel')}
              </Button>
            }
            onMake={(prompt) => {
              showPictures({ ...shown, isEditing: false })
              void makePictures({ kind: 'edit', sourceId: entry.id!, prompt, place })
            }}
          />
        )}
        {picture && (
          <PictureFacts
            picture={picture}
            shownChatId={place?.chatId ?? null}
            onLeave={closePictures}
          />
        )}
      </div>
    </>
  )
}

/**
 * Pictures over the window, one at a time, in a sheet sized to the picture: arrows turn pages,
 * Escape closes.
 */
export function PictureViewer() {
  const shown = useStore(shownPicturesStore, (state) => state.shown)
  const focus = useReturnFocus(focusSheet)
  const image = useRef<HTMLImageElement>(null)
  const control = useZoom(shown?.entries[shown.index]?.url ?? '', () =>
    image.current && image.current.naturalWidth > 0
      ? image.current.clientWidth / image.current.naturalWidth
      : 1,
  )
  if (!shown) return null
  return (
    <Radix.Root open onOpenChange={closePictures}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          {...focus}
          aria-describedby={undefined}
          onKeyDown={(event) => {
            zoomByKeys(event, control)
            handleKeys(event, shown)
          }}
          className={classNames(
            'fixed inset-0 z-50 m-auto flex h-fit max-h-[calc(100dvh-1.5rem)] w-fit max-w-[calc(100vw-1.5rem)] min-w-[min(26rem,calc(100vw-1.5rem))] animate-appear flex-col overflow-hidden rounded-large border border-line bg-page text-ui text-ink shadow-high outline-none',
            // Minimum size shared by small pictures, so that the buttons to the next one do not
            // move.
            shown.entries.length > 1 &&
              'min-h-[min(28rem,calc(100dvh-1.5rem))] min-w-[min(42rem,calc(100vw-1.5rem))]!',
          )}
        >
          <Sheet shown={shown} image={image} control={control} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
