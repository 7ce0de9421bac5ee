import { Cpu, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalModel, OfferedLocalModel } from '#contract/engine.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { FitBadge, OfferedRows } from '../../ui/local-models/offered-rows.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { isAtGateway } from '../../lib/is-at-gateway.ts'

interface InstalledProps {
  readonly models: readonly LocalModel[]
  readonly onRemove: (model: LocalModel) => void
}

/** Installed models, including unusable ones with the reason. */
export function InstalledModels({ models, onRemove }: InstalledProps) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<LocalModel | null>(null)
  return (
    <>
      <Rows label={t(isAtGateway() ? 'localModels.here' : 'localModels.atGateway')}>
        {models.map((model) => (
          <ListRow
            key={model.name}
            icon={<Cpu />}
            name={model.name}
            badges={
              model.problem === null ? (
                <>
                  {model.task && <Badge>{t(`localModels.task.${model.task}`)}</Badge>}
                  {!model.fits && <FitBadge fits={false} />}
                </>
              ) : (
                <Badge tone="danger">{t('localModels.unusable')}</Badge>
              )
            }
            facts={[
              formatBytes(model.bytes),
              model.parameters,
              model.quantization,
              model.license,
              model.owner !== null && t('localModels.from', { owner: model.owner }),
            ]}
            controls={
              model.owner === null && (
                <IconButton
                  label={t('localModels.deleteNamed', { name: model.name })}
                  icon={<Trash2 />}
                  onClick={() => setRemoving(model)}
                />
              )
            }
          >
            {model.problem !== null && (
              <p className="text-small text-pretty text-danger">{model.problem}</p>
            )}
          </ListRow>
        ))}
      </Rows>
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('localModels.deleteTitle', { name: removing?.name ?? '' })}
        description={t('localModels.deleteText', { size: formatBytes(removing?.bytes ?? 0) })}
        confirmLabel={t('common.delete')}
        danger
        onConfirm={() => {
          if (removing) onRemove(removing)
          setRemoving(null)
        }}
      />
    </>
  )
}

interface OfferedProps {
  readonly offers: readonly OfferedLocalModel[]
  readonly busy: string | null
  readonly onDownload: (source: string) => void
}

/** The short list of offered models. */
export function OfferedModels({ offers, ...props }: OfferedProps) {
  const { t } = useTranslation()
  return (
    <OfferedRows
      {...props}
      label={t('localModels.offered')}
      icon={<Cpu />}
      offers={offers.map((offer) => ({
        ...offer,
        id: offer.source,
        badge: <Badge>{t(`localModels.task.${offer.task}`)}</Badge>,
        facts: [offer.license],
      }))}
    />
  )
}
