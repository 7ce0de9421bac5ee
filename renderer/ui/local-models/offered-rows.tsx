import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../marks/badge.tsx'
import { Button } from '../controls/button.tsx'
import { ListRow, Rows } from '../lists/list-row.tsx'

/** Whether a model fits into the memory. */
export function FitBadge({ fits }: { fits: boolean }) {
  const { t } = useTranslation()
  return fits ? (
    <Badge tone="accent">{t('localModels.fits')}</Badge>
  ) : (
    <Badge tone="danger">{t('localModels.tooLarge')}</Badge>
  )
}

interface Offer {
  readonly id: string
  readonly title: string
  readonly bytes: number
  readonly memory: number
  readonly fits: boolean
  readonly badge?: ReactNode
  readonly facts: readonly ReactNode[]
}

interface OfferedRowsProps {
  readonly label: string
  readonly icon: ReactNode
  readonly offers: readonly Offer[]
  /** The offer whose download is being started. */
  readonly busy: string | null
  readonly onDownload: (id: string) => void
}

/** Offered models, each with its size and requirements before the download. */
export function OfferedRows({ label, icon, offers, busy, onDownload }: OfferedRowsProps) {
  const { t } = useTranslation()
  return (
    <Rows label={label}>
      {offers.map(({ id, title, bytes, memory, fits, badge, facts }) => (
        <ListRow
          key={id}
          icon={icon}
          name={title}
          badges={
            <>
              {badge}
              <FitBadge fits={fits} />
            </>
          }
          facts={[
            formatBytes(bytes),
            t('localModels.memory', { size: formatBytes(memory) }),
            ...facts,
          ]}
          controls={
            <Button
              busy={busy === id}
              aria-label={t('localModels.downloadNamed', { name: title, size: formatBytes(bytes) })}
              onClick={() => onDownload(id)}
            >
              {t('localModels.download')}
            </Button>
          }
        />
      ))}
    </Rows>
  )
}
