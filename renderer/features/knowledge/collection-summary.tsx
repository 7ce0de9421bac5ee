import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeFile } from '#contract/knowledge.ts'
import { Spinner } from '../../ui/marks/spinner.tsx'
import type { CollectionUploads } from './collection-uploads.ts'

const countOf = (files: readonly KnowledgeFile[], wanted: 'pending' | 'failed'): number =>
  files.filter(({ data }) => data.status === wanted).length

/** Number of uploads that are still listed because they were not added. */
function useNotAdded(into: CollectionUploads): number {
  const refused = useStore(into.store, (state) => state.refused.length)
  const failed = useStore(
    into.uploads.store,
    ({ uploads }) => uploads.filter(({ state }) => state === 'failed').length,
  )
  return refused + failed
}

/**
 * State of a whole collection in one line: how many files, and which are not ready to be used or
 * were not added.
 */
export function CollectionSummary({
  files,
  into,
}: {
  files: readonly KnowledgeFile[]
  into: CollectionUploads
}) {
  const { t } = useTranslation()
  const notAdded = useNotAdded(into)
  if (files.length + notAdded === 0) return null
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
      {notAdded > 0 && (
        <span className="flex items-center gap-1.5 text-warning">
          <TriangleAlert aria-hidden="true" />
          {t('knowledge.notAddedCount', { count: notAdded })}
        </span>
      )}
      {reading + failed + notAdded === 0 && (
        <span className="flex items-center gap-1.5 text-accent-strong dark:text-accent">
          <CircleCheck aria-hidden="true" />
          {t('knowledge.allReady')}
        </span>
      )}
    </output>
  )
}
