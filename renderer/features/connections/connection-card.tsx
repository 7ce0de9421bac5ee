import '../../lib/strings/doctor.ts'
import { Pencil, RefreshCw, RotateCcw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { nameOfConnection, variableOf } from './connection-name.ts'
import { isEditable, isKeyRefused, isRemovable } from './connections-store.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { doctorPath, toPath } from '../../lib/router.ts'
import { ConnectionMark } from './provider-mark.tsx'
import { formatLocale } from '../../lib/i18n.ts'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'

/** State of a connection at its last contact. */
export function StateBadge({ connection }: { connection: Connection }) {
  const { t } = useTranslation()
  const { state } = connection
  if (state.status === 'ok')
    return <Badge tone="accent">{t('connections.state.ok', { count: state.model_count })}</Badge>
  if (state.status === 'failed') {
    const reason = isKeyRefused(connection) ? 'keyRefused' : 'failed'
    return <Badge tone="danger">{t(`connections.state.${reason}`)}</Badge>
  }
  return <Badge>{t(`connections.state.${state.status}`)}</Badge>
}

/** Fields changed here of a connection defined by the environment. */
function ChangedFields({ overridden }: Pick<Connection, 'overridden'>) {
  const { t } = useTranslation()
  if (overridden.length === 0) return null
  const fields = overridden.map((field) => t(`connections.field.${field}`))
  const list = new Intl.ListFormat(formatLocale(), { type: 'conjunction' })
  return (
    <p className="mt-1 text-small text-muted">
      {t('connections.changedHere', { fields: list.format(fields) })}
    </p>
  )
}

/** State of a connection's key, with its last characters if it is long enough to show them. */
function KeyFact({ connection: { has_key: hasKey, key_hint: hint } }: { connection: Connection }) {
  const { t } = useTranslation()
  if (!hasKey) return null
  return hint && /\w/.test(hint) ? t('connections.keyEnds', { hint }) : t('connections.keyStored')
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
    <MoreMenu label={t('connections.actionsOf', { name: nameOfConnection(connection) })}>
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
    </MoreMenu>
  )
}

/** One connection with its live state; an error is shown directly below it. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { t } = useTranslation()
  const { connection, busy, onEdit, onCheck } = props
  const { state, origin } = connection
  const name = nameOfConnection(connection)
  const fault = state.status === 'failed' ? state.detail : null
  return (
    <ListRow
      mark={<ConnectionMark url={connection.url} kind={connection.kind} />}
      name={name}
      onOpen={isEditable(connection) ? onEdit : undefined}
      badges={
        <>
          <StateBadge connection={connection} />
          {(origin === 'found' || origin === 'built-in') && (
            <Badge>{t(`connections.origin.${origin}`)}</Badge>
          )}
        </>
      }
      facts={[
        <span key="address" dir="ltr" className="wrap-anywhere">
          {connection.url}
        </span>,
        connection.has_key && <KeyFact key="key" connection={connection} />,
        t(`connections.access.card.${connection.access}`),
        origin === 'environment' && (
          <>
            {t('connections.setBy')}{' '}
            <code translate="no" className="wrap-anywhere">
              {variableOf(connection)}
            </code>
          </>
        ),
        origin === 'built-in' && (
          <a
            key="models"
            href={toPath({ name: 'settings', page: 'local-models' })}
            onClick={handleLink}
            className="relative text-accent-strong underline dark:text-accent"
          >
            {t('settings.pages.local-models')}
          </a>
        ),
      ]}
      controls={
        <>
          <IconButton
            label={t('connections.checkNamed', { name })}
            icon={<RefreshCw className={busy ? 'animate-spin' : undefined} />}
            disabled={busy}
            className="max-sm:hidden"
            onClick={onCheck}
          />
          {isEditable(connection) && (
            <Button aria-label={t('connections.editTitle', { name })} onClick={onEdit}>
              {t('common.edit')}
            </Button>
          )}
        </>
      }
      menu={<CardMenu {...props} />}
    >
      {fault && (
        <p className="text-small wrap-anywhere text-danger">
          <GatewaySentence detail={fault} />{' '}
          <a
            href={doctorPath(connection.id)}
            onClick={handleLink}
            className="relative whitespace-nowrap text-accent-strong underline dark:text-accent"
          >
            {t('doctor.begin')}
          </a>
        </p>
      )}
      <ChangedFields overridden={connection.overridden} />
    </ListRow>
  )
}
