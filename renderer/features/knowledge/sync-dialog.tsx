import { FolderSearch } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SyncDiff } from '#contract/knowledge-files.ts'
import { useAction } from '../../api/use-action.ts'
import { isAborted } from '../../api/api-error.ts'
import type { FoundFile } from '../../lib/found-files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FolderInput } from '../../ui/fields/folder-input.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import type { CollectionSession } from './collection-session.ts'
import { applyDiff, compareFolder, pathInside, withoutTop } from './sync-folder.ts'

const SHOWN = 100

interface Compared {
  readonly files: readonly FoundFile[]
  readonly diff: SyncDiff
}

function Paths({
  title,
  paths,
}: {
  title: string
  paths: readonly { readonly path: string; readonly filename: string }[]
}) {
  const { t } = useTranslation()
  if (paths.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium">
        {title} <span className="font-normal text-muted tabular-nums">{paths.length}</span>
      </h3>
      <ul className="max-h-36 overflow-y-auto rounded-medium border border-line bg-sunken px-3 py-1.5 text-small">
        {paths
          .slice(0, SHOWN)
          .map(pathInside)
          .map((path) => (
            <li key={path} className="wrap-anywhere">
              <bdi>{path}</bdi>
            </li>
          ))}
        {paths.length > SHOWN && (
          <li className="text-muted">
            {t('knowledge.sync.more', { count: paths.length - SHOWN })}
          </li>
        )}
      </ul>
    </section>
  )
}

function Diff({
  diff,
  removes,
  onRemoves,
}: {
  diff: SyncDiff
  removes: boolean
  onRemoves: (removes: boolean) => void
}) {
  const { t } = useTranslation()
  const isSame = diff.added.length + diff.modified.length + diff.deleted.length === 0
  return (
    <div className="flex flex-col gap-4">
      {isSame && <p>{t('knowledge.sync.same')}</p>}
      <Paths title={t('knowledge.sync.added')} paths={diff.added} />
      <Paths title={t('knowledge.sync.modified')} paths={diff.modified} />
      <Paths title={t('knowledge.sync.deleted')} paths={diff.deleted} />
      {diff.deleted.length > 0 && (
        <Switch label={t('knowledge.sync.removes')} checked={removes} onChange={onRemoves} />
      )}
      {diff.unmodified_count > 0 && (
        <p className="text-small text-muted">
          {t('knowledge.sync.unmodified', { count: diff.unmodified_count })}
        </p>
      )}
    </div>
  )
}

/** Returns a function that compares a chosen folder with the collection, and its result. */
function useComparison(id: string) {
  const [compared, setCompared] = useState<Compared | null>(null)
  const [reading, setReading] = useState<{ done: number; total: number; name: string } | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const action = useAction(async (files: readonly FoundFile[]) => {
    abort.current?.abort()
    const { signal } = (abort.current = new AbortController())
    setCompared(null)
    try {
      const diff = await compareFolder(id, files, {
        signal,
        onProgress: (done, name) => setReading({ done, total: files.length, name }),
      })
      setCompared({ files, diff })
    } catch (thrown) {
      if (!isAborted(thrown)) throw thrown
    } finally {
      setReading(null)
    }
  })
  return { compared, reading, problem: action.problem, compare: action.run }
}

/** Synchronises a collection with a local folder, after a preview of the changes. */
export function SyncDialog({
  session,
  onClose,
}: {
  session: CollectionSession
  onClose: () => void
}) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const { compared, reading, problem, compare } = useComparison(session.id)
  const [removes, setRemoves] = useState(false)
  const applying = useAction(async () => {
    if (!compared) return
    await applyDiff(session, compared.files, compared.diff, removes)
    toast({ text: t('knowledge.sync.applied') })
  }, onClose)
  const read = (files: readonly FoundFile[]): void => {
    if (files.length > 0) void compare(withoutTop(files))
  }
  const diff = compared?.diff
  const canApply =
    diff !== undefined &&
    diff.added.length + diff.modified.length + (removes ? diff.deleted.length : 0) > 0
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t('knowledge.sync.title')}
      description={t('knowledge.sync.text')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          {compared && (
            <Button
              tone="primary"
              busy={applying.busy}
              disabled={!canApply}
              onClick={() => void applying.run()}
              className="h-control"
            >
              {t('knowledge.sync.apply')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem ?? applying.problem} />
        <FolderInput input={input} onFiles={read} testId="sync-folder" />
        {reading ? (
          <div className="flex flex-col gap-2">
            <p className="truncate text-small text-muted">{t('knowledge.sync.reading', reading)}</p>
            <ProgressBar label={t('knowledge.sync.title')} value={reading.done / reading.total} />
          </div>
        ) : (
          <div>
            <Button
              icon={<FolderSearch className="size-4" />}
              onClick={() => input.current?.click()}
            >
              {t('knowledge.sync.choose')}
            </Button>
          </div>
        )}
        {diff && <Diff diff={diff} removes={removes} onRemoves={setRemoves} />}
      </div>
    </Dialog>
  )
}
