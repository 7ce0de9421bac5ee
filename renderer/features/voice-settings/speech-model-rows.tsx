import { AudioLines, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OfferedSpeechModel, SpeechModel } from '#contract/audio.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { FitBadge, OfferedRows } from '../../ui/local-models/offered-rows.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'

function StateBadge({ model: { problem, used, fits } }: { model: SpeechModel }) {
  const { t } = useTranslation()
  if (problem !== null) return <Badge tone="danger">{t('localModels.unusable')}</Badge>
  if (!fits) return <FitBadge fits={false} />
  return used ? <Badge tone="accent">{t('voice.settings.local.used')}</Badge> : null
}

interface SpeechModelsProps {
  readonly models: readonly SpeechModel[]
  readonly onUse: (name: string) => void
  readonly onRemove: (name: string) => void
}

/** Lists the installed speech models, with the one in use and the problems of the others. */
export function SpeechModels({ models, onUse, onRemove }: SpeechModelsProps) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<SpeechModel | null>(null)
  return (
    <>
      <Rows label={t('voice.settings.local.here')}>
        {models.map((model) => {
          const { name, bytes, memory, multilingual, problem, used } = model
          return (
            <ListRow
              key={name}
              icon={<AudioLines />}
              name={name}
              badges={<StateBadge model={model} />}
              facts={[
                formatBytes(bytes),
                t('localModels.memory', { size: formatBytes(memory) }),
                multilingual !== null &&
                  t(
                    multilingual
                      ? 'voice.settings.local.languages'
                      : 'voice.settings.local.english',
                  ),
              ]}
              controls={
                <>
                  {!used && problem === null && (
                    <Button
                      aria-label={t('voice.settings.local.useNamed', { name })}
                      onClick={() => onUse(name)}
                    >
                      {t('voice.settings.local.use')}
                    </Button>
                  )}
                  <IconButton
                    label={t('localModels.deleteNamed', { name })}
                    icon={<Trash2 />}
                    onClick={() => setRemoving(model)}
                  />
                </>
              }
            >
              {problem !== null && <p className="text-small text-pretty text-danger">{problem}</p>}
            </ListRow>
          )
        })}
      </Rows>
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('localModels.deleteTitle', { name: removing?.name ?? '' })}
        description={t('voice.settings.local.deleteText', {
          size: formatBytes(removing?.bytes ?? 0),
        })}
        confirmLabel={t('common.delete')}
        danger
        onConfirm={() => {
          if (removing) onRemove(removing.name)
          setRemoving(null)
        }}
      />
    </>
  )
}

interface OfferedProps {
  readonly offers: readonly OfferedSpeechModel[]
  readonly busy: string | null
  readonly onDownload: (name: string) => void
}

/** Lists the offered models. */
export function OfferedSpeechModels({ offers, ...props }: OfferedProps) {
  const { t } = useTranslation()
  return (
    <OfferedRows
      {...props}
      label={t('voice.settings.local.offered')}
      icon={<AudioLines />}
      offers={offers.map((offer) => ({
        ...offer,
        id: offer.name,
        facts: [t('voice.settings.local.languages'), offer.license],
      }))}
    />
  )
}
