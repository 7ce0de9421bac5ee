import '../../lib/strings/notes.ts'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Note } from '#contract/notes.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { toSentence } from '../../api/api-error.ts'
import { translate } from '../../lib/i18n.ts'
import { toast, type ToastRequest } from '../../ui/floating/toast.tsx'
import { type NotesStore, putNote, saveNote, textOf } from './notes-store.ts'
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

const isStale = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.code === 'changed_meanwhile'

const tellUnsaved = (title: string, problem: string, action: ToastRequest['action']): void =>
  toast({
    tone: 'danger',
    text: translate('notes.leftUnsaved', { title: title || translate('notes.untitled'), problem }),
    action,
  })

interface NoteSaverOptions {
  readonly store: NotesStore
  readonly id: string
  /** `updated_at` of the version that is displayed. */
  readonly shownAt: number
  readonly onState: (state: SaveState) => void
  /** Called with true once the note was changed elsewhere, and with false when that is settled. */
  readonly onStale: (stale: boolean) => void
}

function openSaver({ store, id, shownAt, onState, onStale }: NoteSaverOptions) {
  let isLeft = false
  let knownAt: number | undefined = shownAt
  const saver: Saver<NoteText> = createSaver<NoteText>({
    save: async ({ title, text }) => {
      try {
        const change = { title, data: { content: { md: text } }, known_at: knownAt }
        knownAt = (await saveNote(store, id, change)).updated_at
        onStale(false)
      } catch (thrown) {
        onStale(isStale(thrown))
        if (isLeft && isStale(thrown))
          tellUnsaved(title, translate('notes.changedElsewhere'), {
            label: translate('notes.keepMine'),
            onSelect: keepMine,
          })
        else if (isLeft && !isGone(thrown))
          tellUnsaved(title, toSentence(thrown), {
            label: translate('common.retry'),
            onSelect: saver.flush,
          })
        throw thrown
      }
    },
    onState,
  })
  function keepMine(): void {
    knownAt = undefined
    saver.flush()
  }
  const takeNewest = async (): Promise<NoteText> => {
    const note = await call(endpoints.notes.get, { params: { note_id: id } })
    saver.forget()
    knownAt = note.updated_at
    putNote(store, note)
    onStale(false)
    onState('saved')
    return { title: note.title, text: textOf(note) }
  }
  const setLeft = (left: boolean): void => {
    isLeft = left
  }
  return { saver, setLeft, keepMine, takeNewest }
}

/** What a note that is being written needs. */
export interface NoteSaver {
  readonly state: SaveState
  /** True if the note was changed elsewhere, so that nothing is saved until one text is chosen. */
  readonly isStale: boolean
  readonly saver: Saver<NoteText>
  readonly keepMine: () => void
  readonly takeNewest: () => Promise<NoteText>
}

/**
 * Saves a note while typing, and once more when the page closes. Later failures are reported with a
 * retry button.
 */
export function useNoteSaver(store: NotesStore, id: string, shownAt: number): NoteSaver {
  const [state, onState] = useState<SaveState>('saved')
  const [isOld, onStale] = useState(false)
  const [first] = useState(shownAt)
  const { saver, setLeft, keepMine, takeNewest } = useMemo(
    () => openSaver({ store, id, shownAt: first, onState, onStale }),
    [store, id, first],
  )
  useEffect(() => {
    setLeft(false)
    window.addEventListener('pagehide', saver.flush)
    return () => {
      setLeft(true)
      window.removeEventListener('pagehide', saver.flush)
      saver.flush()
    }
  }, [saver, setLeft])
  return { state, isStale: isOld, saver, keepMine, takeNewest }
}
