import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { socket } from '../../api/socket.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { Tooltip } from '../../ui/floating/tooltip.tsx'

/** Shown while the connection to the gateway is lost. */
export function ConnectionState() {
  const { t } = useTranslation()
  const status = useStore(socket.status, (state) => state.status)
  return (
    <output>
      {status !== 'open' && (
        // Hidden for the usual duration of connecting, to avoid flicker on startup.
        <Tooltip text={t('common.offlineHint')}>
          <span className="inline-flex animate-[appear_200ms_1.5s_both]">
            <Badge tone="warning" icon={<Spinner className="border-[1.5px]" />}>
              {t('common.offline')}
            </Badge>
          </span>
        </Tooltip>
      )}
    </output>
  )
}
