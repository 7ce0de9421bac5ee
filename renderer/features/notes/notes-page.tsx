import '../../lib/strings/notes.ts'
import { NotebookPen, Pin } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Note } from '#contract/notes.ts'
import { useAction } from '../../api/use-action.ts'
import { formatRecent } from '../../lib/format-time.ts'
import { workspacePath } from '../../lib/router.ts'
import { toPlainLine } from '../../lib/snippet.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { NotesPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { OrderBox } from '../../ui/lists/order-box.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { createNote, inOrder, type NotesFilter, type NotesStore, textOf } from './notes-store.ts'

const WAIT = 180
const EXCERPT = 240
/** Nanoseconds per second; the times of notes are in nanoseconds. */
const NANOSECONDS = 1_000_000_000

const ORDERS = ['changed', 'newest', 'name'] as const

function NoteRow({ note }: { note: Note }) {
  const { t } = useTranslation()
  const time = formatRecent(note.updated_at / NANOSECONDS)
  return (
    <ListRow
      icon={<NotebookPen />}
      name={note.title || t('notes.untitled')}
      href={workspacePath('notes', note.id)}
      badges={
        note.is_pinned && (
          <Badge tone="accent" icon={<Pin />}>
            {t('notes.pinned')}
          </Badge>
        )
      }
      description={toPlainLine(textOf(note).slice(0, EXCERPT))}
      facts={
        note.write_access
          ? [time, <AccessMark key="access" grants={note.access_grants} />]
          : [t('notes.by', { name: note.user?.name ?? '', time })]
      }
    />
  )
}

function List({ store }: { store: NotesStore }) {
  const { t } = useTranslation()
  const { items, total } = useStore(store)
  return (
    <>
      <Rows label={t('notes.title')}>
        {inOrder(items).map((note) => (
          <NoteRow key={note.id} note={note} />
        ))}
      </Rows>
      {items.length < total && (
        <Button className="self-center" onClick={() => void store.loadMore()}>
          {t('notes.more')}
        </Button>
      )}
    </>
  )
}

/** Notes that are stored beside the chats. */
export function NotesPage({ store, onOpen }: { store: NotesStore; onOpen: (id: string) => void }) {
  const { t } = useTranslation()
  const { items, total, status, problem, query: shownQuery } = useStore(store)
  const [wanted, setWanted] = useState<NotesFilter>({ query: '', order: 'changed' })
  useEffect(() => {
    const timer = setTimeout(() => void store.load(wanted), wanted.query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, wanted])
  // A load in progress would replace a note that was opened meanwhile.
  useEffect(() => () => store.stop(), [store])
  const creating = useAction(
    () => createNote(store, ''),
    ({ id }) => onOpen(id),
  )
  useEffect(() => {
    if (creating.problem) toast({ tone: 'danger', text: creating.problem })
  }, [creating.problem])
  return (
    <ListPage
      text={t('notes.text')}
      load={{
        status,
        problem,
        failedTitle: t('notes.loadFailed'),
        onRetry: () => void store.load(wanted),
      }}
      total={total}
      shown={items.length}
      isNarrowed={wanted.query !== '' || shownQuery !== ''}
      primary={{
        label: t('notes.create'),
        busy: creating.busy,
        onSelect: () => void creating.run(),
      }}
      search={{
        label: t('notes.search'),
        value: wanted.query,
        onChange: (query) => setWanted({ ...wanted, query }),
      }}
      choices={
        <OrderBox
          value={wanted.order}
          orders={ORDERS}
          onChange={(order) => setWanted({ ...wanted, order })}
        />
      }
      empty={{ picture: <NotesPicture />, title: t('notes.none'), text: t('notes.noneHint') }}
      noMatch={t('notes.noMatch', { query: shownQuery })}
    >
      <List store={store} />
    </ListPage>
  )
}
