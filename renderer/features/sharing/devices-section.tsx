import { Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { SharedDevice } from '#contract/sharing.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatAge } from '../../lib/format-time.ts'
import { nameDevice } from '../../lib/name-device.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { loadSharing, type SharingStore } from './sharing-store.ts'

function DeviceRow({ device, onEnd }: { device: SharedDevice; onEnd: () => void }) {
  const { t } = useTranslation()
  const name = nameDevice(device.user_agent) || t('sharing.unknownDevice')
  return (
    <ListRow
      icon={<Smartphone />}
      name={device.person}
      badges={
        <>
          {device.guest && <Badge>{t('sharing.guest')}</Badge>}
          {device.current && <Badge tone="accent">{t('sharing.thisDevice')}</Badge>}
        </>
      }
      facts={[
        name,
        <bdi key="address" dir="ltr">
          {device.address}
        </bdi>,
        t('sharing.lastSeen', { age: formatAge(device.last_used_at) }),
      ]}
      controls={
        <Button
          aria-label={t('sharing.endDevice', { name: `${device.person}, ${name}` })}
          onClick={onEnd}
        >
          {t('sharing.end')}
        </Button>
      }
    />
  )
}

/** Devices signed in through the shared URL. */
export function DevicesSection({ store }: { store: SharingStore }) {
  const { t } = useTranslation()
  const devices = useStore(store, (state) => state.devices)
  const ending = useAction(async (id: string) => {
    await call(endpoints.sharing.endDevice, { params: { session_id: id } })
    await loadSharing(store)
  })
  return (
    <PageSection title={t('sharing.devices')} text={t('sharing.devicesText')}>
      <FormProblem text={ending.problem} />
      {devices.length === 0 ? (
        <p className="text-muted">{t('sharing.noDevices')}</p>
      ) : (
        <Rows label={t('sharing.devices')}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} onEnd={() => void ending.run(device.id)} />
          ))}
        </Rows>
      )}
    </PageSection>
  )
}
