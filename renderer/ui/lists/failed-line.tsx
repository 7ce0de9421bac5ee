import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'

interface FailedLineProps {
  /** Title that names the failed content. */
  readonly title: string
  /** Reason, if known. */
  readonly problem: string | null
  readonly onRetry: () => void
}

/** Placeholder of content that could not be loaded, with a retry button. */
export function FailedLine({ title, problem, onRetry }: FailedLineProps) {
  const { t } = useTranslation()
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-large bg-danger-soft px-4 py-3"
    >
      <CircleAlert className="size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{title}</p>
        {problem && <p className="text-small wrap-anywhere text-muted">{problem}</p>}
      </div>
      <Button onClick={onRetry}>{t('common.retry')}</Button>
    </div>
  )
}
