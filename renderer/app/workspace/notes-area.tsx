import { useStore } from 'zustand'
import type { Note } from '#contract/notes.ts'
import { NoteEditor } from '../../features/notes/note-editor.tsx'
import { bringBackNote, createNotesStore, removeNote } from '../../features/notes/notes-store.ts'
import { NotesPage } from '../../features/notes/notes-page.tsx'
import { translate } from '../../lib/i18n.ts'
import { navigate, workspacePath } from '../../lib/router.ts'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { sessionStore } from '../stores.ts'

const notesStore = createNotesStore()

const open = (id: string): void =>
  navigate(workspacePath('notes', id), { from: workspacePath('notes') })
async function remove(note: Note): Promise<void> {
  navigate(workspacePath('notes'), { replace: true })
  try {
    await removeNote(notesStore, note)
    const text = translate('notes.deleted', { title: note.title || translate('notes.untitled') })
    const bringBack = (): void => void bringBackNote(notesStore, note).catch(toastError)
    toast({ text, action: { label: translate('common.undo'), onSelect: bringBack } })
  } catch (thrown) {
    toastError(thrown)
  }
}

/** The notes of the workspace: the list, or one of them. */
export function NotesArea({ item }: { item: string | null }) {
  const mayShare = useStore(sessionStore, isPermitted('sharing.notes'))
  const mayOpenToAll = useStore(sessionStore, isPermitted('sharing.public_notes'))
  if (!item) return <NotesPage store={notesStore} onOpen={open} />
  return (
    <NoteEditor
      key={item}
      store={notesStore}
      id={item}
      principals={principals}
      mayShare={mayShare}
      mayOpenToAll={mayOpenToAll}
      onRemove={(note) => void remove(note)}
    />
  )
}
