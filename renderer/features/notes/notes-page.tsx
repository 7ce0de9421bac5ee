import { NotebookPen, Pin, Plus, Search, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Note } from '#contract/notes.ts'
import { toSentence } from '../../api/api-error.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { workspacePath } from '../../lib/router.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  createNote,
  inOrder,
  loadMoreNotes,
  loadNotes,
  type NotesStore,
  stopLoadingNotes,
  textOf,
} from './notes-store.ts'

const WAIT = 180
const EXCERPT = 240
/** Of a second; the times of notes are in nanoseconds. */
const NANOSECONDS = 1_000_000_000

function NoteRow({ note }: { note: Note }) {
  const { t } = useTranslation()
  return (
    <li className="relative flex items-start gap-2 px-4 py-3 hover:bg-hover">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <a
            href={workspacePath('notes', note.id)}
            onClick={handleLink}
            className="max-w-full truncate font-medium text-ink no-underline after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <bdi>{note.title || t('notes.untitled')}</bdi>
          </a>
          {note.is_pinned && (
            <Badge tone="accent" icon={<Pin aria-hidden="true" />}>
              {t('notes.pinned')}
            </Badge>
          )}
          {note.access_grants.length > 0 && (
            <Badge icon={<UsersRound aria-hidden="true" />}>{t('notes.shared')}</Badge>
          )}
        </span>
        <bdi className="mt-0.5 line-clamp-2 text-small break-words text-muted">
          {textOf(note).slice(0, EXCERPT)}
        </bdi>
        <span className="mt-0.5 block text-small text-muted">
          {note.write_access
            ? formatMoment(note.updated_at / NANOSECONDS)
            : t('notes.by', {
                name: note.user?.name ?? '',
                time: formatMoment(note.updated_at / NANOSECONDS),
              })}
        </span>
      </span>
    </li>
  )
}

function List({ store }: { store: NotesStore }) {
  const { t } = useTranslation()
  const { notes, total, query } = useStore(store)
  if (notes.length === 0)
    return <EmptyState icon={<Search />} title={t('notes.noMatch', { query })} />
  return (
    <>
      <ul
        aria-label={t('notes.title')}
        className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
      >
        {inOrder(notes).map((note) => (
          <NoteRow key={note.id} note={note} />
        ))}
      </ul>
      {notes.length < total && (
        <Button className="self-center" onClick={() => void loadMoreNotes(store)}>
          {t('notes.more')}
        </Button>
      )}
    </>
  )
}

/** Texts to keep beside the chats. */
export function NotesPage({ store, onOpen }: { store: NotesStore; onOpen: (id: string) => void }) {
  const { t } = useTranslation()
  const { notes, status, problem, query: shownQuery } = useStore(store)
  const [query, setQuery] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => void loadNotes(store, query), query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, query])
  useEffect(() => () => stopLoadingNotes(store), [store])
  const [isCreating, setCreating] = useState(false)
  const create = async (): Promise<void> => {
    setCreating(true)
    try {
      onOpen((await createNote(store, '')).id)
    } catch (thrown) {
      toast({ tone: 'danger', text: toSentence(thrown) })
    } finally {
      setCreating(false)
    }
  }
  const isEmpty = status === 'ready' && notes.length === 0 && query === '' && shownQuery === ''
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64 text-pretty text-muted">
          {t('notes.text')}
        </p>
        <Button
          tone="primary"
          className="h-control!"
          icon={<Plus className="size-4" />}
          busy={isCreating}
          onClick={() => void create()}
        >
          {t('notes.create')}
        </Button>
      </div>
      {!isEmpty && <SearchBox label={t('notes.search')} value={query} onChange={setQuery} />}
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('notes.loadFailed')}
          action={<Button onClick={() => void loadNotes(store, query)}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {isEmpty && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<NotebookPen />} title={t('notes.none')}>
            {t('notes.noneHint')}
          </EmptyState>
        </div>
      )}
      {status === 'ready' && !isEmpty && <List store={store} />}
    </div>
  )
}
