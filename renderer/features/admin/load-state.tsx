import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { Spinner } from '../../ui/spinner.tsx'

interface LoadStateProps {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** What could not be loaded. */
  readonly title: string
  readonly onRetry: () => void
}

/** What stands in place of a page that is on its way or did not come. */
export function LoadState({ status, problem, title, onRetry }: LoadStateProps) {
  if (status === 'loading' || status === 'idle') return <Spinner className="mx-auto my-8 block" />
  if (status === 'ready') return null
  return <FailedLine title={title} problem={problem} onRetry={onRetry} />
}
