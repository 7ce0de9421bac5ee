import { Ellipsis, Pencil, RefreshCw, RotateCcw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { isEditable, isRemovable } from './connections-store.ts'
import { ConnectionMark } from './provider-mark.tsx'
import { formatLocale } from '../../lib/i18n.ts'
import { GatewaySentence } from '../../ui/gateway-sentence.tsx'

function StateBadge({ state }: { state: Connection['state'] }) {
  const { t } = useTranslation()
  if (state.status === 'ok')
    return <Badge tone="accent">{t('connections.state.ok', { count: state.model_count })}</Badge>
  if (state.status === 'failed') return <Badge tone="danger">{t('connections.state.failed')}</Badge>
  return <Badge>{t(`connections.state.${state.status}`)}</Badge>
}

/** Where a connection comes from, and what of it was changed here. */
function OriginHint({ connection: { origin, overridden } }: { connection: Connection }) {
  const { t } = useTranslation()
  if (origin === 'stored') return null
  const fields = overridden.map((field) => t(`connections.field.${field}`))
  const list = new Intl.ListFormat(formatLocale(), { type: 'conjunction' })
  return (
    <p className="mt-1 text-small text-muted">
      {t(`connections.originHint.${origin}`)}
      {fields.length > 0 && ` ${t('connections.changedHere', { fields: list.format(fields) })}`}
    </p>
  )
}

interface ConnectionCardProps {
  readonly connection: Connection
  readonly busy: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly onCheck: () => void
}

function CardMenu({ connection, busy, onEdit, onRemove, onCheck }: ConnectionCardProps) {
  const { t } = useTranslation()
  const isStored = connection.origin === 'stored'
  return (
    <Menu
      trigger={
        <IconButton
          label={t('connections.actionsOf', { name: connection.name })}
          icon={<Ellipsis />}
        />
      }
    >
      <MenuItem icon={<RefreshCw />} disabled={busy} onSelect={onCheck}>
        {t('connections.check')}
      </MenuItem>
      {isEditable(connection) && (
        <MenuItem icon={<Pencil />} onSelect={onEdit}>
          {t('common.edit')}
        </MenuItem>
      )}
      {isEditable(connection) && isRemovable(connection) && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={isStored ? <Trash2 /> : <RotateCcw />} onSelect={onRemove}>
            {isStored ? t('common.remove') : t('connections.reset')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** One connection with its live state; what went wrong stands right under it. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { t } = useTranslation()
  const { connection, busy, onEdit, onCheck } = props
  const { state } = connection
  const fault = state.status === 'failed' ? state.detail : null
  return (
    <ListRow
      mark={<ConnectionMark url={connection.url} kind={connection.kind} />}
      name={connection.name}
      onOpen={isEditable(connection) ? onEdit : undefined}
      badges={
        <>
          <StateBadge state={state} />
          {connection.origin !== 'stored' && (
            <Badge>{t(`connections.origin.${connection.origin}`)}</Badge>
          )}
        </>
      }
      facts={[
        <span key="address" dir="ltr" className="wrap-anywhere">
          {connection.url}
        </span>,
        connection.key_hint,
      ]}
      controls={
        <IconButton
          label={t('connections.checkNamed', { name: connection.name })}
          icon={<RefreshCw className={busy ? 'animate-spin' : undefined} />}
          disabled={busy}
          className="max-sm:hidden"
          onClick={onCheck}
        />
      }
      menu={<CardMenu {...props} />}
    >
      <p className="text-small text-muted">{t(`connections.access.card.${connection.access}`)}</p>
      {fault && (
        <p className="mt-1 text-small wrap-anywhere text-danger">
          <GatewaySentence detail={fault} />
        </p>
      )}
      <OriginHint connection={connection} />
    </ListRow>
  )
}
