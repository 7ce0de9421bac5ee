import { useEffect } from 'react'
import { useStore } from 'zustand'
import { socket } from '../../api/socket.ts'
import { FilesPage } from '../../features/files/files-page.tsx'
import { addFile, createFilesStore, followFiles } from '../../features/files/files-store.ts'
import { createFileUploads } from '../../api/file-uploads.ts'
import { openDocument } from '../chats/open-document.ts'
import { isPermitted } from '../person/permissions.ts'
import { sessionStore } from '../stores.ts'

const filesStore = createFilesStore()
const uploads = createFileUploads((key, file) => {
  addFile(filesStore, file)
  uploads.forget(key)
})

/** The files of the signed-in user. */
export function FilesArea() {
  const userId = useStore(sessionStore, (state) => state.user?.id ?? '')
  const mayUpload = useStore(sessionStore, isPermitted('chat.file_upload'))
  useEffect(() => socket.onFrame((frame) => followFiles(filesStore, frame)), [])
  return (
    <FilesPage
      store={filesStore}
      uploads={uploads}
      userId={userId}
      mayUpload={mayUpload}
      onOpen={({ id, filename }) => openDocument({ fileId: id, name: filename })}
    />
  )
}
