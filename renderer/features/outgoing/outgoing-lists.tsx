import { Globe, Network } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OutgoingConnection, OutgoingHost } from '#contract/outgoing-connections.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { formatAge, formatMoment } from '../../lib/format-time.ts'
import { Badge, type BadgeTone } from '../../ui/marks/badge.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'

const SECOND = 1000
const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / SECOND)

const placeOf = ({ host, port }: Pick<OutgoingHost, 'host' | 'port'>): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

const useBytes = (): ((entry: Pick<OutgoingHost, 'bytes_sent' | 'bytes_received'>) => string) => {
  const { t } = useTranslation()
  return ({ bytes_sent: sent, bytes_received: received }) =>
    t('outgoing.bytes', { sent: formatBytes(sent), received: formatBytes(received) })
}

/** Targets of connections, each host and port once. */
export function HostRows({ hosts }: { hosts: readonly OutgoingHost[] }) {
  const { t } = useTranslation()
  const toBytes = useBytes()
  return (
    <Rows label={t('outgoing.views.hosts')}>
      {hosts.map((host) => (
        <ListRow
          key={placeOf(host)}
          icon={<Globe />}
          name={placeOf(host)}
          badges={
            host.refused > 0 && (
              <Badge tone="warning">{t('outgoing.refused', { count: host.refused })}</Badge>
            )
          }
          facts={[
            host.purposes.map((purpose) => t(`outgoing.purposes.${purpose}`)).join(' · '),
            host.connections > 0 && t('outgoing.connections', { count: host.connections }),
            host.connections > 0 && toBytes(host),
            formatAge(toSeconds(host.last_at)),
          ]}
        />
      ))}
    </Rows>
  )
}

const TONES: Record<OutgoingConnection['outcome'], BadgeTone> = {
  open: 'accent',
  ended: 'neutral',
  failed: 'danger',
  refused: 'warning',
}

function ConnectionRow({ entry }: { entry: OutgoingConnection }) {
  const { t } = useTranslation()
  const toBytes = useBytes()
  const { outcome, address, host, name, times, fault, via } = entry
  const hasFailed = outcome === 'failed' || outcome === 'refused'
  return (
    <ListRow
      icon={<Network />}
      name={placeOf(entry)}
      badges={<Badge tone={TONES[outcome]}>{t(`outgoing.outcomes.${outcome}`)}</Badge>}
      facts={[
        formatMoment(toSeconds(entry.began_at)),
        t(`outgoing.purposes.${entry.purpose}`),
        name && <bdi key="name">{name}</bdi>,
        via !== null && t('outgoing.via', { proxy: via }),
        via === null && address !== null && address !== host && t('outgoing.ledTo', { address }),
        times > 1 && t('outgoing.times', { count: times }),
        !hasFailed && toBytes(entry),
        outcome === 'failed' && fault && (
          <code key="fault" dir="ltr">
            {fault}
          </code>
        ),
      ]}
    />
  )
}

/** Individual connections, the newest first. */
export function ConnectionRows({ entries }: { entries: readonly OutgoingConnection[] }) {
  const { t } = useTranslation()
  return (
    <Rows label={t('outgoing.views.connections')}>
      {entries.map((entry) => (
        <ConnectionRow key={entry.id} entry={entry} />
      ))}
    </Rows>
  )
}
