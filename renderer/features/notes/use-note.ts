import '../../lib/strings/notes.ts'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Note } from '#contract/notes.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { toSentence } from '../../api/api-error.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { type NotesStore, putNote, saveNote } from './notes-store.ts'
import { createSaver, type Saver, type SaveState } from './save-as-typed.ts'

export interface OpenNote {
  readonly note: Note | null
  readonly status: 'loading' | 'ready' | 'gone' | 'failed'
  readonly problem: string | null
}

const isGone = (thrown: unknown): boolean => thrown instanceof ApiError && thrown.status === 404

/** Returns a note as currently stored at the gateway. */
export function useNote(store: NotesStore, id: string): OpenNote {
  const note = useStore(store, (state) => state.items.find((each) => each.id === id) ?? null)
  const [open, setOpen] = useState<Omit<OpenNote, 'note'>>({ status: 'loading', problem: null })
  useEffect(() => {
    const abort = new AbortController()
    call(endpoints.notes.get, { params: { note_id: id } }, { signal: abort.signal })
      .then((found) => {
        putNote(store, found)
        setOpen({ status: 'ready', problem: null })
      })
      .catch((thrown: unknown) => {
        if (abort.signal.aborted) return
        setOpen({ status: isGone(thrown) ? 'gone' : 'failed', problem: toSentence(thrown) })
      })
    return () => abort.abort()
  }, [store, id])
  return { note, ...open }
}

/** Title and text as typed. */
export interface NoteText {
  readonly title: string
  readonly text: string
}

const tellUnsaved = (title: string, thrown: unknown, retry: () => void): void =>
  toast({
    tone: 'danger',
    text: translate('notes.leftUnsaved', {
      title: title || translate('notes.untitled'),
      problem: toSentence(thrown),
    }),
    action: { label: translate('common.retry'), onSelect: retry },
  })

function openSaver(store: NotesStore, id: string, onState: (state: SaveState) => void) {
  let isLeft = false
  const saver: Saver<NoteText> = createSaver<NoteText>({
    save: async ({ title, text }) => {
      try {
        await saveNote(store, id, { title, data: { content: { md: text } } })
      } catch (thrown) {
        if (isLeft && !isGone(thrown)) tellUnsaved(title, thrown, saver.flush)
        throw thrown
      }
    },
    onState,
  })
  const setLeft = (left: boolean): void => {
    isLeft = left
  }
  return { saver, setLeft }
}

/**
 * Saves a note while typing, and once more when the page closes. Later failures are reported with a
 * retry button.
 */
export function useNoteSaver(
  store: NotesStore,
  id: string,
): { state: SaveState; saver: Saver<NoteText> } {
  const [state, setState] = useState<SaveState>('saved')
  const { saver, setLeft } = useMemo(() => openSaver(store, id, setState), [store, id])
  useEffect(() => {
    setLeft(false)
    window.addEventListener('pagehide', saver.flush)
    return () => {
      setLeft(true)
      window.removeEventListener('pagehide', saver.flush)
      saver.flush()
    }
  }, [saver, setLeft])
  return { state, saver }
}
