import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Note } from '#contract/notes.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { toSentence } from '../../api/api-error.ts'
import { type NotesStore, putNote, saveNote } from './notes-store.ts'
import { createSaver, type Saver, type SaveState } from './save-as-typed.ts'

export interface OpenNote {
  readonly note: Note | null
  readonly status: 'loading' | 'ready' | 'gone' | 'failed'
  readonly problem: string | null
}

/** A note as the gateway has it now. */
export function useNote(store: NotesStore, id: string): OpenNote {
  const note = useStore(store, (state) => state.notes.find((each) => each.id === id) ?? null)
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
        const isGone = thrown instanceof ApiError && thrown.status === 404
        setOpen({ status: isGone ? 'gone' : 'failed', problem: toSentence(thrown) })
      })
    return () => abort.abort()
  }, [store, id])
  return { note, ...open }
}

/** Title and text as they are typed. */
export interface NoteText {
  readonly title: string
  readonly text: string
}

/** Saves a note as it is typed, and once more when the page goes. */
export function useNoteSaver(store: NotesStore, id: string): { state: SaveState; saver: Saver<NoteText> } {
  const [state, setState] = useState<SaveState>('saved')
  const saver = useMemo(
    () =>
      createSaver<NoteText>({
        save: ({ title, text }) => saveNote(store, id, { title, data: { content: { md: text } } }),
        onState: setState,
      }),
    [store, id],
  )
  useEffect(() => {
    window.addEventListener('pagehide', saver.flush)
    return () => {
      window.removeEventListener('pagehide', saver.flush)
      saver.flush()
    }
  }, [saver])
  return { state, saver }
}
