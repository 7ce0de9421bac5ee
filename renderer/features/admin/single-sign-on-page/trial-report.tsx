import { CircleCheck, CircleDashed, CircleMinus, CircleX, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OAuthOutcome, OAuthTest } from '#contract/oauth.ts'
import { Badge } from '../../../ui/marks/badge.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { CodeBox } from '../code-box.tsx'
import { GatewaySentence } from '../../../ui/marks/gateway-sentence.tsx'

const STEP_ICONS = {
  passed: <CircleCheck className="mt-0.5 size-4 shrink-0 text-accent" />,
  warning: <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" />,
  failed: <CircleX className="mt-0.5 size-4 shrink-0 text-danger" />,
  skipped: <CircleMinus className="mt-0.5 size-4 shrink-0 text-muted" />,
  waiting: <CircleDashed className="mt-0.5 size-4 shrink-0 text-muted" />,
} as const

function Step({ step }: { step: OAuthTest['steps'][number] }) {
  const { t } = useTranslation()
  return (
    <li className="flex gap-2.5 px-4 py-2.5">
      {STEP_ICONS[step.state]}
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {t(`admin.singleSignOn.steps.${step.step}`)}
          <span className="sr-only">: {t(`admin.singleSignOn.stepStates.${step.state}`)}</span>
        </p>
        {step.detail !== null && (
          <p className="text-small text-pretty wrap-anywhere text-muted">
            <GatewaySentence detail={step.detail} />
          </p>
        )}
        {step.remedy !== null && (
          <p className="mt-1 text-ui text-pretty wrap-anywhere">{step.remedy}</p>
        )}
        {step.settings.length > 0 && (
          <p className="mt-1 flex flex-wrap items-center gap-1 text-small text-muted">
            {t('admin.singleSignOn.lookAt')}
            {step.settings.map((key) => (
              <code key={key} className="wrap-anywhere">
                {key}
              </code>
            ))}
          </p>
        )}
      </div>
    </li>
  )
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <dt className="text-small text-muted">{label}</dt>
      {names.map((name) => (
        <dd key={name}>
          <Badge>
            <bdi>{name}</bdi>
          </Badge>
        </dd>
      ))}
    </div>
  )
}

function RoleLine({ role }: { role: NonNullable<OAuthOutcome['role']> }) {
  const { t } = useTranslation()
  const rule = role.rule === 'default' && role.found !== null ? 'unlisted' : role.rule
  return (
    <div>
      <dt className="text-small text-muted">{t('admin.users.role')}</dt>
      <dd>
        <p className="font-medium">
          {role.role === null
            ? t('admin.singleSignOn.noRole')
            : t(`admin.users.roles.${role.role}`)}
        </p>
        <p className="text-small text-pretty text-muted">
          {t(`admin.singleSignOn.rules.${rule}`, { claim: role.claim })}
        </p>
      </dd>
      <Names label={t('admin.singleSignOn.claimSays')} names={role.found ?? []} />
      <Names label={t('admin.singleSignOn.matched')} names={role.matched} />
    </div>
  )
}

function GroupLines({ groups }: { groups: NonNullable<OAuthOutcome['groups']> }) {
  const { t } = useTranslation()
  if (!groups.is_managed)
    return <p className="text-small text-muted">{t('admin.singleSignOn.groupsUnmanaged')}</p>
  const lists = ['groups', 'joined', 'left', 'created', 'blocked', 'unknown'] as const
  return (
    <div className="flex flex-col gap-1.5">
      {groups.warning !== null && (
        <p className="rounded-medium bg-warning-soft px-3 py-2 text-ui text-warning">
          {groups.warning}
        </p>
      )}
      <Names label={t('admin.singleSignOn.claimSays')} names={groups.found ?? []} />
      {lists.map((list) => (
        <Names key={list} label={t(`admin.singleSignOn.groupLists.${list}`)} names={groups[list]} />
      ))}
    </div>
  )
}

function Outcome({ result }: { result: OAuthOutcome }) {
  const { t } = useTranslation()
  return (
    <dl className="flex flex-col gap-3 border-t border-line px-4 py-3.5">
      <div>
        <dt className="text-small text-muted">{t('admin.singleSignOn.account')}</dt>
        <dd>
          <p className="font-medium">{t(`admin.singleSignOn.outcomes.${result.outcome}`)}</p>
          {result.reason !== null && <p className="text-ui text-danger">{result.reason}</p>}
          <p className="text-small wrap-anywhere text-muted">
            <bdi>{result.name}</bdi> <bdi dir="ltr">{result.email}</bdi>{' '}
            {result.email_verified !== null &&
              t(`admin.singleSignOn.${result.email_verified ? 'verified' : 'unverified'}`)}
          </p>
        </dd>
      </div>
      {result.role && <RoleLine role={result.role} />}
      {result.groups && (
        <div>
          <dt className="text-small text-muted">{t('settings.pages.groups')}</dt>
          <dd>
            <GroupLines groups={result.groups} />
          </dd>
        </div>
      )}
    </dl>
  )
}

interface TrialReportProps {
  readonly trial: OAuthTest
  readonly onReload: () => void
  readonly onClose: () => void
}

/** Result of a trial: each step, the provider's claims, and the effect a sign-in would have had. */
export function TrialReport({ trial, onReload, onClose }: TrialReportProps) {
  const { t } = useTranslation()
  const isDoubtful =
    trial.state === 'passed' && trial.steps.some(({ state }) => state === 'warning')
  const state = isDoubtful ? 'doubtful' : trial.state
  const claims = trial.claims && JSON.stringify(trial.claims, null, 2)
  return (
    <section
      aria-labelledby="trial-title"
      className="mb-8 rounded-large border border-line bg-raised"
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3">
        <h2 id="trial-title" className="min-w-0 flex-1 basis-48 font-semibold">
          {t(`admin.singleSignOn.trialStates.${state}`)}
        </h2>
        {trial.state === 'waiting' && <Button onClick={onReload}>{t('auth.checkAgain')}</Button>}
        <Button tone="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
      <p className="px-4 pt-3 text-small text-pretty text-muted">
        {t('admin.singleSignOn.nothingChanged')}
      </p>
      <ol className="py-1.5">
        {trial.steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
      {trial.result && <Outcome result={trial.result} />}
      {claims !== null && (
        <div className="border-t border-line px-4 py-3.5">
          <CodeBox label={t('admin.singleSignOn.claims')} text={claims} />
        </div>
      )}
    </section>
  )
}
