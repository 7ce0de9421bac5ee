import {
  ArrowDown,
  ArrowUp,
  CopyPlus,
  Download,
  Pencil,
  Pin,
  PinOff,
  RotateCcw,
  SquarePen,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { workspacePath } from '../../lib/router.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { SwitchControl } from '../../ui/controls/switch.tsx'
import type { ModelEntry } from './list-entries.ts'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { PlaceBadge } from './place-badge.tsx'
import type { ModelActions } from './use-model-actions.ts'

interface RowProps {
  readonly entry: ModelEntry
  readonly actions: ModelActions
}

function MarkItems({
  entry,
  marks,
}: {
  entry: ModelEntry
  marks: NonNullable<ModelActions['marks']>
}) {
  const { t } = useTranslation()
  const { id } = entry
  return (
    <>
      <MenuSeparator />
      <MenuItem icon={<SquarePen />} onSelect={() => marks.toggleDefault(id)}>
        {marks.isDefault(id) ? t('models.dropDefault') : t('models.makeDefault')}
      </MenuItem>
      <MenuItem
        icon={marks.isPinned(id) ? <PinOff /> : <Pin />}
        onSelect={() => marks.togglePinned(id)}
      >
        {marks.isPinned(id) ? t('models.unpin') : t('models.pin')}
      </MenuItem>
      {entry.row?.base_model_id === undefined || entry.row.base_model_id === null ? (
        <>
          <MenuItem icon={<ArrowUp />} onSelect={() => marks.move(id, -1)}>
            {t('models.moveUp')}
          </MenuItem>
          <MenuItem icon={<ArrowDown />} onSelect={() => marks.move(id, 1)}>
            {t('models.moveDown')}
          </MenuItem>
        </>
      ) : null}
    </>
  )
}

function RowMenu({ entry, actions }: RowProps) {
  const { t } = useTranslation()
  const { row, mayChange } = entry
  const { copy, exportOne, marks } = actions
  return (
    <MoreMenu label={t('models.actionsOf', { name: entry.name })}>
      {mayChange && (
        <MenuItem icon={<Pencil />} onSelect={() => actions.open(entry)}>
          {t('common.edit')}
        </MenuItem>
      )}
      {copy && (
        <MenuItem icon={<CopyPlus />} onSelect={() => copy(entry)}>
          {row?.base_model_id ? t('models.clone') : t('models.buildOn')}
        </MenuItem>
      )}
      {exportOne && row && (
        <MenuItem icon={<Download />} onSelect={() => exportOne(row)}>
          {t('models.exportOne')}
        </MenuItem>
      )}
      {marks && <MarkItems entry={entry} marks={marks} />}
      {mayChange && row && (
        <>
          <MenuSeparator />
          <MenuItem
            danger
            icon={row.base_model_id ? <Trash2 /> : <RotateCcw />}
            onSelect={() => actions.remove(row)}
          >
            {row.base_model_id ? t('common.delete') : t('models.reset')}
          </MenuItem>
        </>
      )}
    </MoreMenu>
  )
}

function Marks({ entry, actions }: RowProps) {
  const { t } = useTranslation()
  const { base, row, id } = entry
  const isOverride = row !== null && row.base_model_id === null
  return (
    <>
      {base && <PlaceBadge type={base.connection_type} />}
      {base?.unavailable && <Badge tone="warning">{t('models.unavailable')}</Badge>}
      {row?.base_model_id && !base && <Badge tone="warning">{t('models.baseGone')}</Badge>}
      {isOverride && <Badge>{t('models.changed')}</Badge>}
      {actions.marks?.isDefault(id) && <Badge icon={<SquarePen />}>{t('models.default')}</Badge>}
      {actions.marks?.isPinned(id) && <Badge icon={<Pin />}>{t('models.pinned')}</Badge>}
    </>
  )
}

/** One model with its picture, location, switch and menu. */
export function ModelEntryRow({ entry, actions }: RowProps) {
  const { t } = useTranslation()
  const { id, name, description, base, row, isActive, mayChange } = entry
  return (
    <ListRow
      mark={<ModelMark id={id} className="size-9" />}
      name={name}
      {...(mayChange && { href: workspacePath('models', id) })}
      badges={<Marks entry={entry} actions={actions} />}
      tags={entry.tags}
      description={description}
      facts={[
        row?.base_model_id
          ? t('models.on', { base: base?.name ?? row.base_model_id })
          : base?.connection_name,
        id !== name && id,
        mayChange && (
          <AccessMark key="access" grants={row?.access_grants ?? []} unshared={entry.unshared} />
        ),
      ]}
      controls={
        mayChange && (
          <SwitchControl
            aria-label={t('models.shown', { name })}
            checked={isActive}
            onChange={() => actions.toggle(entry)}
          />
        )
      }
      menu={<RowMenu entry={entry} actions={actions} />}
    />
  )
}
