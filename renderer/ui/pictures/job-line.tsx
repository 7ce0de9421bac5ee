import { RotateCw, Square, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { FormProblem } from '../dialogs/form-problem.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ProgressBar } from '../marks/progress-bar.tsx'
import { dropJob, type PictureJob, retryJob, stopJob } from './picture-jobs.ts'

const TELL_TIME_AFTER = 5
const TICK = 1000

/** Returns the seconds since the component was mounted. */
function useElapsed(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), TICK)
    return () => clearInterval(timer)
  }, [])
  return seconds
}

/** Progress of a picture job; without steps, only the elapsed time. */
export function MakingState({
  label,
  done,
  total,
}: {
  label: string
  done: number | null
  total: number | null
}) {
  const { t } = useTranslation()
  const seconds = useElapsed()
  const hasSteps = done !== null && total !== null && total > 0
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      <p className="flex flex-wrap items-baseline gap-x-3 text-small text-muted">
        <span className="min-w-0 text-ink">{label}</span>
        <span className="tabular-nums">
          {hasSteps
            ? t('pictures.job.steps', { done, total })
            : seconds >= TELL_TIME_AFTER && t('pictures.job.seconds', { seconds })}
        </span>
      </p>
      <ProgressBar
        label={t('pictures.job.progress')}
        value={hasSteps ? Math.min(done / total, 1) : null}
      />
    </div>
  )
}

/** A running job with a stop button, or a failed one with its error and a retry button. */
export function JobLine({ job }: { job: PictureJob }) {
  const { t } = useTranslation()
  if (job.problem !== null) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <FormProblem text={job.problem} />
        </div>
        <Button icon={<RotateCw className="size-3.5" />} onClick={() => retryJob(job)}>
          {t('pictures.job.retry')}
        </Button>
        <IconButton
          label={t('pictures.job.dismiss')}
          icon={<X />}
          onClick={() => dropJob(job.id)}
        />
      </div>
    )
  }
  return (
    <div className="flex items-center gap-3">
      <MakingState
        label={t(job.isStopping ? 'pictures.job.stopping' : `pictures.job.${job.order.kind}`)}
        done={job.done}
        total={job.total}
      />
      <IconButton
        label={t('pictures.job.stop')}
        icon={<Square className="size-3! fill-current" />}
        aria-disabled={job.isStopping}
        onClick={() => !job.isStopping && void stopJob(job.id)}
      />
    </div>
  )
}

/** A list of jobs; renders nothing if there are none. */
export function JobList({ jobs }: { jobs: readonly PictureJob[] }) {
  if (jobs.length === 0) return null
  return (
    <ul className="flex flex-col gap-2">
      {jobs.map((job) => (
        <li key={job.id}>
          <JobLine job={job} />
        </li>
      ))}
    </ul>
  )
}
