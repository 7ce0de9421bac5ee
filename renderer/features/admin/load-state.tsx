import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { Spinner } from '../../ui/spinner.tsx'

interface LoadStateProps {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** Title that names the failed content. */
  readonly title: string
  readonly onRetry: () => void
}

/** Placeholder of a page that is loading or failed to load. */
export function LoadState({ status, problem, title, onRetry }: LoadStateProps) {
  if (status === 'loading' || status === 'idle') return <Spinner className="mx-auto my-8 block" />
  if (status === 'ready') return null
  return <FailedLine title={title} problem={problem} onRetry={onRetry} />
}
