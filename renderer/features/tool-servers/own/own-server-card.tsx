import { Pencil, RefreshCw, Wrench } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../../ui/marks/badge.tsx'
import { AccessMark } from '../../../ui/lists/access-mark.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { MenuItem } from '../../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../../ui/floating/more-menu.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { SwitchControl } from '../../../ui/controls/switch.tsx'
import { OwnerBadge } from '../owner-badge.tsx'
import { RefusedNote } from '../refused-note.tsx'
import { ToolList } from '../tool-list.tsx'
import type { OwnServer } from './own-server.ts'
import type { OwnServerState } from './own-servers.ts'

interface OwnServerCardProps {
  readonly server: OwnServer
  readonly state: OwnServerState | null
  readonly onEdit: () => void
  readonly onEnterKey: () => void
  readonly onToggle: () => void
  readonly onCheck: () => void
  readonly onRemove: () => void
}

const TONES = { ok: 'accent', failed: 'danger' } as const

const toTools = (state: OwnServerState | null) =>
  (state?.description?.operations ?? []).map(({ operationId, description }) => ({
    name: operationId,
    description,
  }))

function Status({ state }: { state: OwnServerState | null }) {
  const { t } = useTranslation()
  if (state?.status === 'checking') return <Spinner className="size-3.5" />
  if (state?.status !== 'ok' && state?.status !== 'failed') return null
  return <Badge tone={TONES[state.status]}>{t(`toolServers.status.${state.status}`)}</Badge>
}

/**
 * One of the user's own tool servers: its URL, its state as seen from this window, and its tools.
 */
export function OwnServerCard({
  server,
  state,
  onEdit,
  onEnterKey,
  onToggle,
  onCheck,
  onRemove,
}: OwnServerCardProps) {
  const { t } = useTranslation()
  const { name } = server
  return (
    <ListRow
      icon={<Wrench />}
      name={name}
      onOpen={onEdit}
      badges={
        <>
          <OwnerBadge owner="own" />
          <Status state={server.isEnabled ? state : null} />
        </>
      }
      facts={[
        <span key="address" dir="ltr" className="font-mono">
          {server.url}
        </span>,
        <AccessMark key="access" grants={[]} />,
      ]}
      controls={
        <SwitchControl
          aria-label={t('toolServers.use', { name })}
          checked={server.isEnabled}
          onChange={onToggle}
        />
      }
      menu={
        <MoreMenu label={t('toolServers.actionsOf', { name })}>
          <MenuItem icon={<Pencil />} onSelect={onEdit}>
            {t('common.edit')}
          </MenuItem>
          <MenuItem icon={<RefreshCw />} onSelect={onCheck}>
            {t('toolServers.check')}
          </MenuItem>
          <RemovalItem label={t('common.remove')} onSelect={onRemove} />
        </MoreMenu>
      }
    >
      {server.isEnabled && (
        <>
          {state?.problem && state.isRefused && (
            <RefusedNote name={name} onEnterKey={onEnterKey}>
              {state.problem}
            </RefusedNote>
          )}
          {state?.problem && !state.isRefused && (
            <p className="text-small text-pretty wrap-anywhere text-danger">{state.problem}</p>
          )}
          <ToolList tools={toTools(state)} />
        </>
      )}
    </ListRow>
  )
}
