import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
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
  const { t } = useTranslation()
  if (status === 'loading' || status === 'idle') return <Spinner className="mx-auto my-8 block" />
  if (status === 'ready') return null
  return (
    <EmptyState title={title} action={<Button onClick={onRetry}>{t('common.retry')}</Button>}>
      {problem}
    </EmptyState>
  )
}
