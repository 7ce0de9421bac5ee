import { MoreHorizontal, Pencil, RefreshCw, RotateCcw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { isEditable, isRemovable } from './connections-store.ts'
import { ConnectionMark } from './provider-mark.tsx'

function StateBadge({ state }: { state: Connection['state'] }) {
  const { t } = useTranslation()
  if (state.status === 'ok')
    return <Badge tone="accent">{t('connections.state.ok', { count: state.model_count })}</Badge>
  if (state.status === 'failed') return <Badge tone="danger">{t('connections.state.failed')}</Badge>
  return <Badge>{t(`connections.state.${state.status}`)}</Badge>
}

/** Where a connection comes from, and what of it was changed here. */
function OriginHint({ connection: { origin, overridden } }: { connection: Connection }) {
  const { t, i18n } = useTranslation()
  if (origin === 'stored') return null
  const fields = overridden.map((field) => t(`connections.field.${field}`))
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' })
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

/** One connection with its live state; what went wrong stands right under it. */
export function ConnectionCard({
  connection,
  busy,
  onEdit,
  onRemove,
  onCheck,
}: ConnectionCardProps) {
  const { t } = useTranslation()
  const { state } = connection
  const isStored = connection.origin === 'stored'
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <ConnectionMark url={connection.url} kind={connection.kind} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-medium wrap-anywhere">{connection.name}</bdi>
          <StateBadge state={state} />
          {connection.origin !== 'stored' && (
            <Badge>{t(`connections.origin.${connection.origin}`)}</Badge>
          )}
        </p>
        <p className="mt-0.5 truncate text-small text-muted" dir="ltr">
          {connection.url}
          {connection.key_hint && ` · ${connection.key_hint}`}
        </p>
        <p className="text-small text-muted">{t(`connections.access.card.${connection.access}`)}</p>
        {state.status === 'failed' && state.detail && (
          <p className="mt-1 text-small text-danger">{state.detail}</p>
        )}
        <OriginHint connection={connection} />
      </div>
      <IconButton
        label={t('connections.checkNamed', { name: connection.name })}
        icon={<RefreshCw className={busy ? 'animate-spin' : undefined} />}
        disabled={busy}
        onClick={onCheck}
      />
      {isEditable(connection) && (
        <Menu
          trigger={
            <IconButton
              label={t('connections.actionsOf', { name: connection.name })}
              icon={<MoreHorizontal />}
            />
          }
        >
          <MenuItem icon={<Pencil />} onSelect={onEdit}>
            {t('common.edit')}
          </MenuItem>
          {isRemovable(connection) && (
            <>
              <MenuSeparator />
              <MenuItem danger icon={isStored ? <Trash2 /> : <RotateCcw />} onSelect={onRemove}>
                {isStored ? t('common.remove') : t('connections.reset')}
              </MenuItem>
            </>
          )}
        </Menu>
      )}
    </li>
  )
}
