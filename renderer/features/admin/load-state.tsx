import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'

interface LoadStateProps {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** Title that names the failed content. */
  readonly title: string
  readonly onRetry: () => void
}

/** Placeholder of a page that is loading or failed to load. */
export function LoadState({ status, problem, title, onRetry }: LoadStateProps) {
  if (status === 'loading' || status === 'idle') return <PageWait />
  if (status === 'ready') return null
  return <FailedLine title={title} problem={problem} onRetry={onRetry} />
}
