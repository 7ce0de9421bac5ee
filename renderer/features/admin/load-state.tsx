import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { LoadingRows, type LoadingKind } from '../../ui/lists/loading-rows.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'

interface LoadStateProps {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** Title that names the failed content. */
  readonly title: string
  /** List that the placeholder stands for, unless the page is a form. */
  readonly list?: LoadingKind
  readonly onRetry: () => void
}

/** Placeholder of a page that is loading or failed to load. */
export function LoadState({ status, problem, title, list, onRetry }: LoadStateProps) {
  if (status === 'loading' || status === 'idle')
    return list ? <LoadingRows kind={list} /> : <PageWait />
  if (status === 'ready') return null
  return <FailedLine title={title} problem={problem} onRetry={onRetry} />
}
