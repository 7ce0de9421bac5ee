import { Check, Download, FolderInput } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpoints, toUrl } from '../../api/client.ts'
import { downloadBlob, downloadFrom } from '../../lib/download.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { FileIcon } from '../marks/file-icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { toastError } from '../floating/toast.tsx'
import type { OutcomeFile } from './shown-outcome.ts'

/** Stores a file of this window among the user's files. */
export type KeepFile = (file: OutcomeFile) => Promise<void>

/** Only used to select the icon beside the name. */
const toType = (name: string): string => {
  if (/\.(png|jpe?g|gif|webp|svg)$/i.test(name)) return 'image/*'
  if (/\.(csv|tsv|xlsx?|ods)$/i.test(name)) return 'text/csv'
  return /\.(txt|md|json|xml|html?|pdf|docx?)$/i.test(name) ? 'text/plain' : ''
}

const save = ({ name, id, bytes }: OutcomeFile): void => {
  if (bytes) downloadBlob(name, new Blob([new Uint8Array(bytes)]))
  else if (id !== null)
    downloadFrom(
      toUrl(endpoints.files.content, { params: { id: id }, query: { attachment: true } }),
    )
}

function FileLine({ file, onKeep }: { file: OutcomeFile; onKeep: KeepFile | undefined }) {
  const { t } = useTranslation()
  const [keeping, setKeeping] = useState<'none' | 'under-way' | 'kept'>(
    file.id === null ? 'none' : 'kept',
  )
  const keep = async (): Promise<void> => {
    setKeeping('under-way')
    try {
      await onKeep?.(file)
      setKeeping('kept')
    } catch (thrown) {
      setKeeping('none')
      toastError(thrown)
    }
  }
  return (
    <li className="output-file">
      <FileIcon type={toType(file.name)} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">{file.name}</bdi>
        <span className="block text-small text-muted">
          {[
            file.size === null ? '' : formatBytes(file.size),
            keeping === 'kept' ? t('code.files.kept') : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {onKeep && file.bytes && (
        <IconButton
          label={t(keeping === 'kept' ? 'code.files.keptNamed' : 'code.files.keep', {
            name: file.name,
          })}
          icon={keeping === 'kept' ? <Check /> : <FolderInput />}
          aria-disabled={keeping !== 'none'}
          onClick={() => keeping === 'none' && void keep()}
        />
      )}
      <IconButton
        label={t('code.files.download', { name: file.name })}
        icon={<Download />}
        onClick={() => save(file)}
      />
    </li>
  )
}

/** Files written by code, which can be downloaded or stored among the user's files. */
export function OutcomeFiles({
  files,
  onKeep,
}: {
  files: readonly OutcomeFile[]
  onKeep?: KeepFile
}) {
  const { t } = useTranslation()
  if (files.length === 0) return null
  return (
    <ul aria-label={t('code.files.list')} className="output-files">
      {files.map((file, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order of the files of an outcome never changes
        <FileLine key={index} file={file} onKeep={onKeep} />
      ))}
    </ul>
  )
}
