import { LoaderCircle, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PluginState } from '#contract/plugins.ts'
import { call, endpoints } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { formatNames } from '../../lib/format-list.ts'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'

const LOOK_EVERY = 3000

/**
 * Shows the reason plugins cannot run, or the progress of their installation; renders nothing
 * otherwise.
 */
export function PythonNote() {
  const { t } = useTranslation()
  const [state, setState] = useState<PluginState | null>(null)
  useEffect(() => {
    let isWanted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      const found = await call(endpoints.plugins.state, {}).catch(() => null)
      if (!isWanted) return
      setState(found)
      timer = setTimeout(() => void look(), LOOK_EVERY)
    }
    void look()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [])
  if (!state) return null
  const again = (id: string): Promise<unknown> =>
    call(endpoints.plugins.reinstall, { params: { environment_id: id } }).catch(toastError)
  const { python, environments } = state
  const busy = environments.filter(({ status }) => status === 'waiting' || status === 'installing')
  const failed = environments.filter(({ status }) => status === 'failed')
  return (
    <>
      {(python.status === 'missing' || python.detail !== null) && (
        <p className="flex items-start gap-2.5 rounded-medium bg-warning-soft px-4 py-3 text-warning">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            {python.detail === null ? (
              t('plugins.noPython')
            ) : (
              <GatewaySentence detail={python.detail} />
            )}
          </span>
        </p>
      )}
      {[...busy, ...failed].map(({ id, status, requirements, log, detail }) => (
        <details key={id} className="rounded-medium border border-line px-4">
          <summary className="flex min-h-10 list-none items-center gap-2.5 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
            {status === 'failed' ? (
              <TriangleAlert className="size-4 shrink-0 text-danger" />
            ) : (
              <LoaderCircle className="size-4 shrink-0 animate-spin text-muted motion-reduce:animate-none" />
            )}
            <span className="min-w-0 flex-1 truncate">
              {requirements.length === 0
                ? t(status === 'failed' ? 'plugins.baseFailed' : 'plugins.installingBase')
                : t(status === 'failed' ? 'plugins.installFailed' : 'plugins.installing', {
                    list: formatNames(requirements),
                  })}
            </span>
          </summary>
          {detail && <p className="mt-2 text-small text-danger">{detail}</p>}
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
            tabIndex={0}
            dir="ltr"
            aria-label={t('plugins.installLog')}
            className="mt-2 max-h-48 overflow-auto rounded-medium bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere"
          >
            {log.join('\n')}
          </pre>
          {status === 'failed' && (
            <Button className="mt-2" onClick={() => void again(id)}>
              {t('plugins.installAgain')}
            </Button>
          )}
        </details>
      ))}
    </>
  )
}
