import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Automation, AutomationRun } from '#contract/automations.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { Badge, type BadgeTone } from '../../ui/marks/badge.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { nameOf } from './name-of.ts'

const NANOSECONDS = 1e9
const LOOK_MILLISECONDS = 3000
const TONES: Record<AutomationRun['status'], BadgeTone> = {
  running: 'accent',
  success: 'neutral',
  error: 'danger',
  cancelled: 'neutral',
  missed: 'warning',
  skipped: 'warning',
}

function Run({ run }: { run: AutomationRun }) {
  const { t } = useTranslation()
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2.5">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="tabular-nums">{formatMoment(run.created_at / NANOSECONDS)}</span>
        <Badge tone={TONES[run.status]}>{t(`automations.statuses.${run.status}`)}</Badge>
        <span className="text-small text-muted">{t(`automations.causes.${run.cause}`)}</span>
        {run.chat_id && (
          <a href={chatPath(run.chat_id)} onClick={handleLink} className="ms-auto text-small">
            {t('automations.openChat')}
          </a>
        )}
      </span>
      {run.error && <span className="text-small wrap-anywhere text-muted">{run.error}</span>}
    </li>
  )
}

/** The runs of an automation, refreshed while visible. */
export function RunHistory({
  automation,
  onClose,
}: {
  automation: Automation
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [runs, setRuns] = useState<readonly AutomationRun[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { id } = automation
  useEffect(() => {
    const abort = new AbortController()
    const look = async (): Promise<void> => {
      try {
        const params = { automation_id: id }
        setRuns(await call(endpoints.automations.runs, { params }, { signal: abort.signal }))
        setProblem(null)
      } catch (thrown) {
        if (!isAborted(thrown)) setProblem(toSentence(thrown))
      }
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_MILLISECONDS)
    return () => {
      clearInterval(timer)
      abort.abort()
    }
  }, [id])
  return (
    <Dialog wide onClose={onClose} title={t('automations.runs', { name: nameOf(automation) })}>
      <FormProblem text={problem} />
      {!runs && !problem && <PageWait shape="lines" />}
      {runs?.length === 0 && <p className="text-muted">{t('automations.noRuns')}</p>}
      {runs && runs.length > 0 && (
        <ul className="divide-y divide-line rounded-large border border-line">
          {runs.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}
