import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { toPageAddress } from '../../lib/page-address.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import type { CollectionSession } from './collection-session.ts'
import { filesOf, loadCollection, moveFile } from './collection-store.ts'

async function addPage(
  { id, store }: CollectionSession,
  url: string,
  directoryId: string | null,
  signal: AbortSignal,
): Promise<string> {
  const known = new Set(filesOf(store.getState()).map((file) => file.id))
  const { filename } = await call(
    endpoints.retrieval.processWeb,
    { body: { url, collection_name: id } },
    { signal },
  )
  await loadCollection(store, id)
  const added = filesOf(store.getState()).find((file) => !known.has(file.id))
  if (added && directoryId !== null) await moveFile(store, added.id, directoryId)
  return filename
}

/** Asks for the URL of a page, which is then fetched and stored. */
export function PageDialog({
  session,
  onClose,
}: {
  session: CollectionSession
  onClose: () => void
}) {
  const { t } = useTranslation()
  const directoryId = useStore(session.store, (state) => state.directoryId)
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const url = toPageAddress(text)
    if (url === null) return setRefused(true)
    abort.current = new AbortController()
    setBusy(true)
    setProblem(null)
    try {
      const name = await addPage(session, url, directoryId, abort.current.signal)
      toast({ text: t('knowledge.pageAdded', { name }) })
      onClose()
    } catch (thrown) {
      if (!isAborted(thrown)) setProblem(toSentence(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('knowledge.pageTitle')}
      description={t('knowledge.pageText')}
      submission={{ busy, problem, handleSubmit: (event) => void submit(event) }}
      submitLabel={t('knowledge.addIt')}
      onClose={onClose}
    >
      <TextField
        label={t('knowledge.pageAddress')}
        value={text}
        inputMode="url"
        autoComplete="off"
        dir="ltr"
        placeholder="https://"
        error={isRefused ? t('knowledge.pageBad') : null}
        onChange={(value) => {
          setText(value)
          setRefused(false)
        }}
      />
    </FormDialog>
  )
}
