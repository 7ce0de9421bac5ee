import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ConnectionCheck } from '#contract/connections.ts'
import { formatNames } from '../../lib/format-list.ts'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'

const SHOWN = 6

/** Result of testing a connection, shown in the form. */
export function CheckResult({ check }: { check: ConnectionCheck | null }) {
  const { t } = useTranslation()
  return (
    <output className="block">
      {check && (
        <div
          className={`flex items-start gap-2 rounded-medium px-3 py-2 text-ui ${check.ok ? 'bg-accent-soft' : 'bg-danger-soft text-danger'}`}
        >
          {check.ok ? (
            <CircleCheck className="mt-0.5 size-4 shrink-0 text-accent" />
          ) : (
            <CircleAlert className="mt-0.5 size-4 shrink-0" />
          )}
          <div className="min-w-0 wrap-anywhere">
            <p>
              {check.ok ? (
                t('connections.works', {
                  count: check.models.length,
                  milliseconds: Math.round(check.milliseconds),
                })
              ) : (
                <GatewaySentence detail={check.detail ?? ''} />
              )}
            </p>
            {check.ok && check.models.length > 0 && (
              <p className="mt-0.5 text-small text-muted">
                {formatNames(check.models.slice(0, SHOWN))}
                {check.models.length > SHOWN &&
                  ` ${t('connections.andMore', { count: check.models.length - SHOWN })}`}
              </p>
            )}
          </div>
        </div>
      )}
    </output>
  )
}
