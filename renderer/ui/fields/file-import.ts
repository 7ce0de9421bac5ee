import { useState } from 'react'
import { toast, toastError } from '../floating/toast.tsx'
import { useFilePicker } from './file-picker.tsx'

/** Lets the user import a picked file; `read` returns the message shown after the import. */
export function useFileImport(read: (file: File) => Promise<string>, accept?: string) {
  const [isBusy, setBusy] = useState(false)
  const picker = useFilePicker(async (file) => {
    setBusy(true)
    try {
      toast({ text: await read(file) })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(false)
    }
  }, accept)
  return { ...picker, isBusy }
}
