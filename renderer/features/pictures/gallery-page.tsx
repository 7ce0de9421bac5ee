import '../../ui/pictures/strings.ts'
import { Images } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Picture } from '#contract/images.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { onPicturesMade, toEntry } from '../../ui/pictures/picture-jobs.ts'
import { type PictureRights, showPictures } from '../../ui/pictures/shown-pictures.ts'
import { SelectBox } from '../../ui/controls/select.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { MakeForm } from './make-form.tsx'
import { PictureCard } from './picture-card.tsx'
import {
  addPictures,
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

function KindBox({
  value,
  onChange,
}: {
  value: PicturesFilter['kind']
  onChange: (kind: PicturesFilter['kind']) => void
}) {
  const { t } = useTranslation()
  return (
    <SelectBox
      isNarrow
      aria-label={t('pictures.gallery.filter')}
      value={value}
      options={[
        { value: '', label: t('pictures.gallery.kinds.all') },
        ...KINDS.map((kind) => ({ value: kind, label: t(`pictures.gallery.kinds.${kind}`) })),
      ]}
      onChange={(value) => onChange(value as PicturesFilter['kind'])}
    />
  )
}

function Grid({
  store,
  rights,
  onRemove,
}: GalleryPageProps & { onRemove: (picture: Picture) => void }) {
  const { t } = useTranslation()
  const { items: pictures, total } = useStore(store)
  const more = useAction(() => store.loadMore())
  const open = (index: number, isEditing: boolean): void =>
    showPictures({ entries: pictures.map(toEntry), index, place: null, rights, isEditing })
  return (
    <>
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
        <Button className="self-center" busy={more.busy} onClick={() => void more.run()}>
          {t('pictures.gallery.more')}
        </Button>
      )}
    </>
  )
}

/** The pictures of the signed-in user, with a form to generate one. */
export function GalleryPage({ store, rights }: GalleryPageProps) {
  const { t } = useTranslation()
  const { items, total, status, problem, filter } = useStore(store)
  const [wanted, setWanted] = useState<PicturesFilter>(NO_FILTER)
  const [removed, setRemoved] = useState<Picture | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => void store.load({ filter: wanted }), wanted.query ? WAIT : 0)
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
      toastError(thrown)
    }
  }
  return (
    <>
      <ListPage
        text={t('pictures.gallery.text')}
        load={{
          status,
          problem,
          failedTitle: t('pictures.gallery.loadFailed'),
          onRetry: () => void store.load({ filter: wanted }),
        }}
        total={total}
        shown={items.length}
        isNarrowed={filter.query !== '' || filter.kind !== ''}
        note={rights.mayMake && <MakeForm />}
        search={{
          label: t('pictures.gallery.search'),
          value: wanted.query,
          onChange: (query) => setWanted({ ...wanted, query }),
        }}
        choices={
          <KindBox value={wanted.kind} onChange={(kind) => setWanted({ ...wanted, kind })} />
        }
        empty={{
          icon: <Images />,
          title: t('pictures.gallery.none'),
          text: t(rights.mayMake ? 'pictures.gallery.noneHint' : 'pictures.gallery.noneOff'),
        }}
        noMatch={t('pictures.gallery.noMatch')}
      >
        <Grid store={store} rights={rights} onRemove={setRemoved} />
      </ListPage>
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
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
    </>
  )
}
