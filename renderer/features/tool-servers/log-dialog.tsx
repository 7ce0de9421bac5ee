import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { readLog } from './servers-store.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { useLoaded } from '../../api/use-loaded.ts'

/** The last lines of a server's log. */
export function LogDialog({
  id,
  name,
  onClose,
}: {
  id: string
  name: string
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { value: lines, problem } = useLoaded(() => readLog(id), [id])
  const time = new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'medium' })
  return (
    <Dialog wide onClose={onClose} title={t('toolServers.logOf', { name })}>
      {problem && <EmptyState title={t('toolServers.logFailed')}>{problem}</EmptyState>}
      {lines?.length === 0 && <EmptyState title={t('toolServers.logEmpty')} />}
      {lines && lines.length > 0 && (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
          tabIndex={0}
          aria-label={t('toolServers.logOf', { name })}
          dir="ltr"
          className="max-h-[60dvh] overflow-auto rounded-medium bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere"
        >
          {lines.map(({ at, line }) => `${time.format(at)}  ${line}`).join('\n')}
        </pre>
      )}
    </Dialog>
  )
}
