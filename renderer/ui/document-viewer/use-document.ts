import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileText } from '#contract/files.ts'
import { ApiError, isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { askContentType } from '../../api/stored-document.ts'

/** Result of a single request: null while it is in progress. */
export type Asked<T> = { readonly value: T } | { readonly problem: string } | null

function useAsked<T>(
  id: string | null,
  ask: (id: string, signal: AbortSignal) => Promise<T>,
): Asked<T> {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<{ id: string; state: Asked<T> } | null>(null)
  useEffect(() => {
    if (id === null) return
    const abort = new AbortController()
    ask(id, abort.signal).then(
      (value) => setAsked({ id, state: { value } }),
      (thrown: unknown) => {
        if (isAborted(thrown)) return
        const isGone = thrown instanceof ApiError && thrown.status === 404
        setAsked({ id, state: { problem: isGone ? t('documents.gone') : toSentence(thrown) } })
      },
    )
    return () => abort.abort()
  }, [id, ask, t])
  return asked?.id === id ? asked.state : null
}

const askText = (id: string, signal: AbortSignal): Promise<FileText> =>
  call(endpoints.files.text, { params: { file_id: id } }, { signal })

/** Returns the content type of a file. */
export const useContentType = (id: string): Asked<string> => useAsked(id, askContentType)

/** Returns the text of a file; requests nothing for null. */
export const useFileText = (id: string | null): Asked<FileText> => useAsked(id, askText)
