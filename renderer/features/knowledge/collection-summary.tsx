import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeFile } from '#contract/knowledge.ts'
import { Spinner } from '../../ui/marks/spinner.tsx'

const countOf = (files: readonly KnowledgeFile[], wanted: 'pending' | 'failed'): number =>
  files.filter(({ data }) => data.status === wanted).length

/** State of a whole collection in one line: how many files, and which are not ready to be used. */
export function CollectionSummary({ files }: { files: readonly KnowledgeFile[] }) {
  const { t } = useTranslation()
  if (files.length === 0) return null
  const reading = countOf(files, 'pending')
  const failed = countOf(files, 'failed')
  return (
    <output className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted [&_svg]:size-4">
      <span>{t('knowledge.fileCount', { count: files.length })}</span>
      {reading > 0 && (
        <span className="flex items-center gap-1.5">
          <Spinner />
          {t('knowledge.readingCount', { count: reading })}
        </span>
      )}
      {failed > 0 && (
        <span className="flex items-center gap-1.5 text-danger">
          <CircleAlert aria-hidden="true" />
          {t('knowledge.failedCount', { count: failed })}
        </span>
      )}
      {reading + failed === 0 && (
        <span className="flex items-center gap-1.5 text-accent-strong dark:text-accent">
          <CircleCheck aria-hidden="true" />
          {t('knowledge.allReady')}
        </span>
      )}
    </output>
  )
}
