import { X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Upload } from '../../api/file-uploads.ts'
import { Button } from '../../ui/controls/button.tsx'
import { formatShare } from '../../lib/format-list.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import type { CollectionUploads } from './collection-uploads.ts'

/** Maximum number of lines rendered; a folder may contain thousands of files. */
const SHOWN = 12

const partOf = ({ state, sent, progress }: Upload): number | null => {
  if (state === 'waiting') return 0
  if (state === 'sending') return sent
  return progress?.total ? progress.done / progress.total : null
}

function UploadLine({ upload, into }: { upload: Upload; into: CollectionUploads }) {
  const { t } = useTranslation()
  const { key, name, state, progress, problem } = upload
  const hasFailed = state === 'failed'
  const stage =
    state === 'reading' && progress ? t(`files.stage.${progress.stage}`) : t(`files.state.${state}`)
  return (
    <li className="flex flex-wrap items-center gap-2 py-1.5 ps-4 pe-2">
      <div className="min-w-0 flex-1 basis-56 py-1">
        <div className="flex items-center gap-2">
          <bdi className="min-w-0 truncate">{name}</bdi>
          {hasFailed ? (
            <Badge tone="danger">{stage}</Badge>
          ) : (
            <span className="shrink-0 text-small text-muted tabular-nums">
              {stage}
              {state === 'sending' && ` · ${formatShare(upload.sent)}`}
            </span>
          )}
        </div>
        {hasFailed && (
          <p className="mt-0.5 text-small text-pretty text-muted">{problem ?? t('files.failed')}</p>
        )}
        {!hasFailed && (
          <span className="mt-1 block">
            <ProgressBar label={t('files.uploadingOf', { name })} value={partOf(upload)} />
          </span>
        )}
      </div>
      {hasFailed && (
        <div className="flex flex-wrap gap-1.5 pb-1 sm:pb-0">
          <Button
            aria-label={t('knowledge.tryAgainOf', { name })}
            onClick={() => into.uploads.retry(key)}
          >
            {t('knowledge.tryAgain')}
          </Button>
          <Button
            tone="quiet"
            aria-label={t('files.removeOf', { name })}
            onClick={() => into.uploads.cancel(key)}
          >
            {t('knowledge.takeOut')}
          </Button>
        </div>
      )}
      {!hasFailed && (
        <IconButton
          label={t('files.cancelOf', { name })}
          icon={<X />}
          onClick={() => into.uploads.cancel(key)}
        />
      )}
    </li>
  )
}

const ORDER: Record<Upload['state'], number> = {
  failed: 0,
  sending: 1,
  reading: 2,
  ready: 3,
  waiting: 4,
}

function Refused({ into }: { into: CollectionUploads }) {
  const { t } = useTranslation()
  const refused = useStore(into.store, (state) => state.refused)
  if (refused.length === 0) return null
  return (
    <div className="border-t border-line py-2 ps-4 pe-2">
      <div className="flex items-center justify-between gap-2">
        <p className="font-medium">{t('knowledge.refused')}</p>
        <Button tone="quiet" onClick={() => into.store.setState({ refused: [] })}>
          {t('knowledge.dismiss')}
        </Button>
      </div>
      <ul className="max-h-48 overflow-y-auto text-small">
        {refused.map(({ name, problem }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two files may have the same name
          <li key={index} className="py-0.5 wrap-anywhere">
            <bdi className="font-medium">{name}</bdi> <span className="text-muted">{problem}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Makes the browser ask for confirmation before the page is left, since unfinished uploads would be
 * lost.
 */
function useLeaveWarning(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isBusy])
}

/** Uploads to a collection, with their progress and results. */
export function UploadsPanel({ into }: { into: CollectionUploads }) {
  const { t } = useTranslation()
  const uploads = useStore(into.uploads.store, (state) => state.uploads)
  const { added, refused } = useStore(into.store)
  const failed = uploads.filter(({ state }) => state === 'failed')
  const busy = uploads.length - failed.length
  const total = uploads.length + added + refused.length
  const isBusy = busy > 0
  useLeaveWarning(isBusy)
  useEffect(() => {
    if (!isBusy && added > 0) announce(t('knowledge.uploadDone', { count: added }))
  }, [isBusy, added, t])
  if (uploads.length === 0 && refused.length === 0) return null
  const shown = uploads
    .toSorted((left, right) => ORDER[left.state] - ORDER[right.state])
    .slice(0, SHOWN)
  const done = total - busy
  return (
    <section
      aria-label={t('knowledge.uploads')}
      className="rounded-large border border-line bg-raised"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 ps-4 pe-2">
        <div className="min-w-0 flex-1 basis-28">
          <p className="text-small text-muted tabular-nums">
            {isBusy
              ? t('knowledge.uploading', { done, total })
              : t('knowledge.uploadsDone', { added, failed: failed.length + refused.length })}
          </p>
          {isBusy && (
            <span className="mt-1.5 block">
              <ProgressBar label={t('knowledge.uploads')} value={done / total} />
            </span>
          )}
        </div>
        {failed.length > 1 && (
          <Button onClick={() => failed.forEach(({ key }) => into.uploads.retry(key))}>
            {t('knowledge.retryAll')}
          </Button>
        )}
        {uploads.length > 1 && (
          <Button tone={isBusy ? 'secondary' : 'quiet'} onClick={() => into.cancelAll()}>
            {t(isBusy ? 'knowledge.cancelAll' : 'knowledge.dismiss')}
          </Button>
        )}
      </div>
      {shown.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((upload) => (
            <UploadLine key={upload.key} upload={upload} into={into} />
          ))}
        </ul>
      )}
      {uploads.length > shown.length && (
        <p className="border-t border-line px-4 py-2 text-small text-muted">
          {t('knowledge.moreWaiting', { count: uploads.length - shown.length })}
        </p>
      )}
      <Refused into={into} />
    </section>
  )
}
