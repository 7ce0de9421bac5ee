import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PluginReport } from '#contract/plugins.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { formatNames } from '../../lib/format-list.ts'

/** Type of a source, the packages it would install and import, and warnings about its use. */
export function ReportView({ report }: { report: PluginReport }) {
  const { t } = useTranslation()
  const { kind, requirements, refused, imports, warnings, problem } = report
  const missing = imports.filter(({ found }) => found === 'no')
  const isFine =
    problem === null && missing.length === 0 && refused.length === 0 && warnings.length === 0
  return (
    <section
      aria-label={t('plugins.report.title')}
      className="flex flex-col gap-2 rounded-medium border border-line bg-sunken px-4 py-3 text-small"
    >
      <p className="flex flex-wrap items-center gap-2 text-ui font-medium">
        {t('plugins.report.title')}
        {kind && <Badge tone="accent">{t(`plugins.kind.${kind}`)}</Badge>}
      </p>
      {isFine && (
        <p className="flex items-center gap-2">
          <CircleCheck className="size-4 text-accent" />
          {t('plugins.report.fine')}
        </p>
      )}
      {problem && (
        <p className="flex items-start gap-2 text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{problem}</span>
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2 text-warning">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">{warning}</span>
        </p>
      ))}
      {requirements.length > 0 && (
        <p className="wrap-anywhere">
          {t('plugins.report.installs', { list: formatNames(requirements) })}
        </p>
      )}
      {refused.map(({ line, reason }) => (
        <p key={line} className="text-danger wrap-anywhere">
          <code>{line}</code>: {reason}
        </p>
      ))}
      {missing.map(({ module, line, lazy, guarded }) => (
        <p key={`${module} ${line}`} className="wrap-anywhere">
          {t(guarded || lazy ? 'plugins.report.missingLater' : 'plugins.report.missing', {
            module,
            line,
          })}
        </p>
      ))}
    </section>
  )
}
