import '../../ui/pictures/strings.ts'
import { Images } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Picture } from '#contract/images.ts'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { announce } from '../../ui/live-region.tsx'
import { onPicturesMade, toEntry } from '../../ui/pictures/picture-jobs.ts'
import { type PictureRights, showPictures } from '../../ui/pictures/shown-pictures.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { SelectBox } from '../../ui/select.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { MakeForm } from './make-form.tsx'
import { PictureCard } from './picture-card.tsx'
import {
  addPictures,
  loadMorePictures,
  loadPictures,
  NO_FILTER,
  type PicturesFilter,
  type PicturesStore,
  removePicture,
} from './pictures-store.ts'

interface GalleryPageProps {
  readonly store: PicturesStore
  readonly rights: PictureRights
}

const WAIT = 180
const KINDS = ['generated', 'edited', 'received'] as const

function Filters({
  filter,
  onChange,
}: {
  filter: PicturesFilter
  onChange: (change: Partial<PicturesFilter>) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <SearchBox
          label={t('pictures.gallery.search')}
          value={filter.query}
          onChange={(query) => onChange({ query })}
        />
      </div>
      <SelectBox
        isNarrow
        aria-label={t('pictures.gallery.filter')}
        value={filter.kind}
        options={[
          { value: '', label: t('pictures.gallery.kinds.all') },
          ...KINDS.map((value) => ({ value, label: t(`pictures.gallery.kinds.${value}`) })),
        ]}
        onChange={(event) => onChange({ kind: event.target.value as PicturesFilter['kind'] })}
      />
    </div>
  )
}

function Grid({
  store,
  rights,
  onRemove,
}: GalleryPageProps & { onRemove: (picture: Picture) => void }) {
  const { t } = useTranslation()
  const { pictures, total, isReadingOn } = useStore(store)
  if (pictures.length === 0)
    return <p className="py-8 text-center text-muted">{t('pictures.gallery.noMatch')}</p>
  const open = (index: number, isEditing: boolean): void =>
    showPictures({ entries: pictures.map(toEntry), index, place: null, rights, isEditing })
  return (
    <>
      <p className="text-small text-muted">{t('pictures.gallery.count', { count: total })}</p>
      <ul
        aria-label={t('pictures.list')}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-3 max-[26rem]:grid-cols-1"
      >
        {pictures.map((picture, index) => (
          <li
            key={picture.id}
            className="min-w-0 [contain-intrinsic-size:auto_20rem] [content-visibility:auto]"
          >
            <PictureCard
              picture={picture}
              rights={rights}
              onOpen={(isEditing) => open(index, isEditing)}
              onRemove={() => onRemove(picture)}
            />
          </li>
        ))}
      </ul>
      {pictures.length < total && (
        <Button
          className="self-center"
          busy={isReadingOn}
          onClick={() => void loadMorePictures(store)}
        >
          {t('pictures.gallery.more')}
        </Button>
      )}
    </>
  )
}

/** The pictures of the signed-in person, with the way to make one. */
export function GalleryPage({ store, rights }: GalleryPageProps) {
  const { t } = useTranslation()
  const { pictures, status, problem, filter } = useStore(store)
  const [wanted, setWanted] = useState<PicturesFilter>(NO_FILTER)
  const [removed, setRemoved] = useState<Picture | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => void loadPictures(store, wanted), wanted.query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, wanted])
  useEffect(
    () =>
      onPicturesMade((made) => {
        addPictures(store, made)
        announce(t('pictures.madeSome', { count: made.length }))
      }),
    [store, t],
  )
  const remove = async (picture: Picture): Promise<void> => {
    setRemoved(null)
    try {
      await removePicture(store, picture.id)
      toast({ text: t('pictures.gallery.deleted') })
    } catch (thrown) {
      toast({ tone: 'danger', text: toSentence(thrown) })
    }
  }
  const isEmpty =
    status === 'ready' && pictures.length === 0 && filter.query === '' && filter.kind === ''
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-pretty text-muted">{t('pictures.gallery.text')}</p>
      {rights.mayMake && <MakeForm />}
      {!isEmpty && status !== 'failed' && (
        <Filters filter={wanted} onChange={(change) => setWanted({ ...wanted, ...change })} />
      )}
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('pictures.gallery.loadFailed')}
          action={
            <Button onClick={() => void loadPictures(store, wanted)}>{t('common.retry')}</Button>
          }
        >
          {problem}
        </EmptyState>
      )}
      {isEmpty && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<Images />} title={t('pictures.gallery.none')}>
            {t(rights.mayMake ? 'pictures.gallery.noneHint' : 'pictures.gallery.noneOff')}
          </EmptyState>
        </div>
      )}
      {status === 'ready' && !isEmpty && (
        <Grid store={store} rights={rights} onRemove={setRemoved} />
      )}
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={() => setRemoved(null)}
        title={t('pictures.gallery.deleteTitle')}
        description={
          <>
            {removed?.prompt && (
              <bdi className="mb-2 line-clamp-3 block text-ink">{removed.prompt}</bdi>
            )}
            {t(
              removed?.chat_id == null
                ? 'pictures.gallery.deleteAlone'
                : 'pictures.gallery.deleteText',
            )}
          </>
        }
        confirmLabel={t('pictures.gallery.delete')}
        danger
        onConfirm={() => removed && void remove(removed)}
      />
    </div>
  )
}
