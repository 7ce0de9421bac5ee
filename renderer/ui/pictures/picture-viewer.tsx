import './strings.ts'
import { ChevronLeft, ChevronRight, Copy, Download, RefreshCw, WandSparkles, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'
import { announce } from '../live-region.tsx'
import { useReturnFocus } from '../return-focus.ts'
import { PromptForm } from './prompt-form.tsx'
import { JobList } from './job-line.tsx'
import { usePicture } from './known-pictures.ts'
import { PictureFacts } from './picture-facts.tsx'
import { addressOf, copyAndTell, savePicture } from './picture-actions.ts'
import { makePictures, useJobs } from './picture-jobs.ts'
import {
  closePictures,
  type PictureEntry,
  showPictures,
  type ShownPictures,
  shownPicturesStore,
  turnTo,
} from './shown-pictures.ts'

/** Keys that turn the pages, unless somebody writes. */
function handleKeys(event: KeyboardEvent, { index, entries }: ShownPictures): void {
  if (event.target instanceof HTMLTextAreaElement || event.altKey || event.ctrlKey || event.metaKey)
    return
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

/** The sheet itself has the focus, so that no tooltip of a button stands open. */
function focusSheet(event: Event): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).focus()
}

function Bar({ shown, entry }: { shown: ShownPictures; entry: PictureEntry }) {
  const { t } = useTranslation()
  const { rights, place, index, entries, isEditing } = shown
  const { id } = entry
  return (
    <div className="flex h-header shrink-0 items-center gap-0.5 px-2">
      <p className="min-w-0 flex-1 truncate px-2 text-small text-muted tabular-nums">
        {entries.length > 1 &&
          t('pictures.viewer.position', { number: index + 1, total: entries.length })}
      </p>
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

/** A picture as large as there is room, with the ways to its neighbours at its sides. */
function Stage({
  shown,
  entry,
  name,
}: {
  shown: ShownPictures
  entry: PictureEntry
  name: string
}) {
  const { t } = useTranslation()
  const [broken, setBroken] = useState<string | null>(null)
  const { index, entries } = shown
  const turn = 'size-10! rounded-full! border border-line bg-raised! shadow-low'
  return (
    <div className="relative flex min-h-0 flex-1 items-center justify-center px-3 sm:px-16">
      {broken === entry.url ? (
        <p className="text-muted">{t('pictures.broken')}</p>
      ) : (
        <img
          key={entry.url}
          src={addressOf(entry)}
          alt={name}
          onError={() => setBroken(entry.url)}
          className="max-h-full max-w-full rounded-medium object-contain"
        />
      )}
      {index > 0 && (
        <IconButton
          label={t('pictures.viewer.previous')}
          icon={<ChevronLeft className="rtl:-scale-x-100" />}
          className={classNames(turn, 'absolute! start-2 sm:start-4')}
          side="right"
          onClick={() => turnTo(index - 1)}
        />
      )}
      {index < entries.length - 1 && (
        <IconButton
          label={t('pictures.viewer.next')}
          icon={<ChevronRight className="rtl:-scale-x-100" />}
          className={classNames(turn, 'absolute! end-2 sm:end-4')}
          side="left"
          onClick={() => turnTo(index + 1)}
        />
      )}
    </div>
  )
}

function Sheet({ shown }: { shown: ShownPictures }) {
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
    // oxlint-disable-next-line react/exhaustive-deps -- said when another picture comes into sight, not when more is known of it
  }, [entry.url])
  return (
    <>
      <Radix.Title className="sr-only">{t('pictures.viewer.title')}</Radix.Title>
      <Bar shown={shown} entry={entry} />
      <Stage shown={shown} entry={entry} name={name} />
      <div className="mx-auto flex max-h-[45dvh] w-full max-w-3xl shrink-0 flex-col gap-3 overflow-y-auto px-4 pt-3 pb-4">
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

/** Pictures over the whole window, one at a time: arrows turn the pages, Escape closes. */
export function PictureViewer() {
  const shown = useStore(shownPicturesStore, (state) => state.shown)
  const focus = useReturnFocus(focusSheet)
  if (!shown) return null
  return (
    <Radix.Root open onOpenChange={closePictures}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          {...focus}
          aria-describedby={undefined}
          onKeyDown={(event) => handleKeys(event, shown)}
          className="fixed inset-0 z-50 flex animate-appear flex-col bg-page text-ui text-ink outline-none"
        >
          <Sheet shown={shown} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
