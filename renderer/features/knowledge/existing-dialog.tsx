import { FileStack } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { File as StoredFile } from '#contract/files.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import type { CollectionSession } from './collection-session.ts'
import { filesOf, putCollection } from './collection-store.ts'

const WAIT = 180

interface Found {
  readonly files: readonly StoredFile[]
  readonly total: number
  readonly page: number
}

function useFiles(
  userId: string,
  query: string,
  page: number,
): { found: Found | null; problem: string | null } {
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const asked = {
      user_id: userId,
      query: query.trim() || undefined,
      status: 'completed',
      content: false,
      page,
    } as const
    const load = async (): Promise<void> => {
      try {
        const { items, total } = await call(
          endpoints.files.list,
          { query: asked },
          { signal: abort.signal },
        )
        setFound((before) => ({
          files: page === 1 ? items : [...(before?.files ?? []), ...items],
          total,
          page,
        }))
      } catch (thrown) {
        if (!isAborted(thrown)) setProblem(toSentence(thrown))
      }
    }
    const timer = setTimeout(() => void load(), query ? WAIT : 0)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [userId, query, page])
  return { found, problem }
}

interface ExistingDialogProps {
  readonly session: CollectionSession
  readonly userId: string
  readonly onClose: () => void
}

/** Offers the user's previously uploaded files. */
export function ExistingDialog({ session, userId, onClose }: ExistingDialogProps) {
  const { t } = useTranslation()
  const { id, store } = session
  const directoryId = useStore(store, (state) => state.directoryId)
  const present = useStore(store, filesOf)
  const [asked, setAsked] = useState({ query: '', page: 1 })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { found, problem } = useFiles(userId, asked.query, asked.page)
  const adding = useAction(async () => {
    const body = [...chosen].map((fileId) => ({ file_id: fileId, directory_id: directoryId }))
    const reply = await call(endpoints.knowledge.addFiles, { params: { knowledge_id: id }, body })
    putCollection(store, reply)
    const errors = reply.warnings?.errors ?? []
    if (errors.length > 0) {
      toast({
        tone: 'danger',
        text: t('knowledge.someRefused', {
          count: errors.length,
          problem: errors[0]!.replace(/^\S+: /, ''),
        }),
      })
    }
  }, onClose)
  const known = new Set(present.map((file) => file.hash))
  // Pictures have no searchable text.
  const offered =
    found?.files.filter(({ hash, meta }) => !known.has(hash) && meta.collection_name !== null) ?? []
  const toggle = (fileId: string, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(fileId)
    else next.delete(fileId)
    setChosen(next)
  }
  return (
    <Dialog
      onClose={onClose}
      title={t('knowledge.existingTitle')}
      description={t('knowledge.existingText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            busy={adding.busy}
            disabled={chosen.size === 0}
            onClick={() => void adding.run()}
            className="h-control"
          >
            {t('knowledge.addChosen', { count: chosen.size })}
          </Button>
        </>
      }
    >
      <div className="flex min-h-72 flex-col gap-3">
        <FormProblem text={adding.problem ?? problem} />
        <SearchBox
          label={t('knowledge.searchFiles')}
          value={asked.query}
          onChange={(query) => setAsked({ query, page: 1 })}
        />
        {found === null && problem === null && <PageWait shape="lines" />}
        {found !== null && offered.length === 0 && (
          <EmptyState icon={<FileStack />} title={t('knowledge.existingNone')} />
        )}
        <ul aria-label={t('files.title')} className="flex max-h-80 flex-col overflow-y-auto">
          {offered.map((file) => (
            <li key={file.id}>
              <label className="flex min-h-9 items-center gap-2 rounded-small px-1 hover:bg-hover pointer-coarse:min-h-11">
                <Checkbox
                  checked={chosen.has(file.id)}
                  onChange={(value) => toggle(file.id, value)}
                />
                <bdi className="min-w-0 flex-1 truncate">{file.filename}</bdi>
                <span className="shrink-0 pe-1 text-small text-muted">
                  {formatBytes(file.meta.size)}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {found !== null && found.files.length < found.total && (
          <Button
            className="self-center"
            onClick={() => setAsked({ ...asked, page: found.page + 1 })}
          >
            {t('knowledge.more')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
