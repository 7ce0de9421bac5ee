import { RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { FileUploads, Upload } from '../../api/file-uploads.ts'
import { formatShare } from '../../lib/format-list.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import { FileIcon } from '../../ui/marks/file-icon.tsx'

function UploadRow({ upload, uploads }: { upload: Upload; uploads: FileUploads }) {
  const { t } = useTranslation()
  const { key, name, state, problem } = upload
  return (
    <li className="flex items-start gap-3 py-2 ps-4 pe-2">
      <span className="mt-0.5 shrink-0 text-muted [&_svg]:size-5 [&_svg]:stroke-[1.6]">
        <FileIcon type={upload.type} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
          <span className="shrink-0 text-small text-muted tabular-nums">
            {formatBytes(upload.size)} · {t(`files.state.${state}`)}
            {state === 'sending' && ` · ${formatShare(upload.sent)}`}
          </span>
        </div>
        {problem === null ? (
          <span className="mt-1.5 block">
            <ProgressBar
              label={t('files.uploadingOf', { name })}
              value={state === 'sending' ? upload.sent : null}
            />
          </span>
        ) : (
          <p role="alert" className="mt-0.5 text-small text-pretty text-danger">
            {problem}
          </p>
        )}
      </div>
      {state === 'failed' && (
        <IconButton
          label={t('files.retryOf', { name })}
          icon={<RotateCw />}
          onClick={() => uploads.retry(key)}
        />
      )}
      <IconButton
        label={t(state === 'failed' ? 'files.removeOf' : 'files.cancelOf', { name })}
        icon={<X />}
        onClick={() => (state === 'failed' ? uploads.forget(key) : uploads.cancel(key))}
      />
    </li>
  )
}

/** Uploads in progress; completed ones are in the list below. */
export function UploadList({ uploads }: { uploads: FileUploads }) {
  const { t } = useTranslation()
  const all = useStore(uploads.store, (state) => state.uploads)
  const shown = all.filter(({ fileId, state }) => fileId === null && state !== 'ready')
  if (shown.length === 0) return null
  return (
    <ul
      aria-label={t('files.uploads')}
      className="divide-y divide-line rounded-large border border-line bg-raised"
    >
      {shown.map((upload) => (
        <UploadRow key={upload.key} upload={upload} uploads={uploads} />
      ))}
    </ul>
  )
}
