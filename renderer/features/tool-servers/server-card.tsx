import {
  FileJson,
  Pencil,
  RefreshCw,
  ScrollText,
  ShieldCheck,
  SquareTerminal,
  Wrench,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ToolServer, ToolServerState } from '#contract/tool-servers.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { SwitchControl } from '../../ui/controls/switch.tsx'
import { OwnerBadge } from './owner-badge.tsx'
import { RefusedNote } from './refused-note.tsx'
import { ToolList } from './tool-list.tsx'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'

interface ServerCardProps {
  readonly server: ToolServer
  readonly state: ToolServerState | null
  readonly onEdit: () => void
  readonly onEnterKey: () => void
  readonly onToggle: () => void
  readonly onCheck: () => void
  readonly onLog: () => void
  readonly onApprove: () => void
  readonly onRemove: () => void
}

const TONES = {
  ok: 'accent',
  failed: 'danger',
  changed: 'warning',
  disabled: 'neutral',
  unknown: 'neutral',
} as const

function CardMenu({ server, onEdit, onCheck, onLog, onRemove }: ServerCardProps) {
  const { t } = useTranslation()
  return (
    <MoreMenu label={t('toolServers.actionsOf', { name: server.info.name || server.info.id })}>
      <MenuItem icon={<Pencil />} onSelect={onEdit}>
        {t('common.edit')}
      </MenuItem>
      <MenuItem icon={<RefreshCw />} onSelect={onCheck}>
        {t('toolServers.check')}
      </MenuItem>
      <MenuItem icon={<ScrollText />} onSelect={onLog}>
        {t('toolServers.log')}
      </MenuItem>
      <RemovalItem label={t('common.remove')} onSelect={onRemove} />
    </MoreMenu>
  )
}

const kindOf = ({ type, command }: ToolServer): 'openapi' | 'mcp' | 'program' =>
  type === 'openapi' ? 'openapi' : command === '' ? 'mcp' : 'program'

const SIGNS = { openapi: <FileJson />, mcp: <Wrench />, program: <SquareTerminal /> } as const

interface StateLinesProps extends Pick<ServerCardProps, 'onEnterKey' | 'onApprove'> {
  readonly name: string
  readonly state: ToolServerState
}

function StateLines({ name, state, onEnterKey, onApprove }: StateLinesProps) {
  const { t } = useTranslation()
  const isRefused = state.status === 'failed' && state.code === 'tool_server_refused'
  return (
    <>
      {state.detail && isRefused && (
        <RefusedNote name={name} onEnterKey={onEnterKey}>
          <GatewaySentence detail={state.detail} />
        </RefusedNote>
      )}
      {state.detail && !isRefused && (
        <p className="text-small text-pretty wrap-anywhere text-danger">
          <GatewaySentence detail={state.detail} />
        </p>
      )}
      <ToolList
        tools={state.tools.map((tool) => ({
          ...tool,
          isChanged: state.changed_tools.includes(tool.name),
        }))}
      />
      {state.status === 'changed' && state.fingerprint !== null && (
        <Button className="mt-2" icon={<ShieldCheck className="size-4" />} onClick={onApprove}>
          {t('toolServers.approve')}
        </Button>
      )}
    </>
  )
}

/** One tool server: its URL, state and tools. */
export function ServerCard(props: ServerCardProps) {
  const { t } = useTranslation()
  const { server, state, onEdit, onToggle } = props
  const name = server.info.name || server.info.id
  const kind = kindOf(server)
  const place = server.command === '' ? server.url : [server.command, ...server.args].join(' ')
  return (
    <ListRow
      icon={SIGNS[kind]}
      name={name}
      onOpen={onEdit}
      badges={
        <>
          <OwnerBadge owner="shared" />
          <Badge>{t(`toolServers.kinds.${kind}`)}</Badge>
          {server.origin === 'environment' && <Badge>{t('toolServers.environmentOrigin')}</Badge>}
          {state && (
            <Badge tone={TONES[state.status]}>{t(`toolServers.status.${state.status}`)}</Badge>
          )}
        </>
      }
      facts={[
        <span key="place" dir="ltr" className="font-mono wrap-anywhere">
          {place}
        </span>,
        <AccessMark key="access" grants={server.config.access_grants} />,
        server.origin === 'environment' && (
          <code key="variable" translate="no" className="wrap-anywhere">
            TOOL_SERVER_CONNECTIONS
          </code>
        ),
      ]}
      controls={
        <SwitchControl
          aria-label={t('toolServers.use', { name })}
          checked={server.config.enable}
          onChange={onToggle}
        />
      }
      menu={<CardMenu {...props} />}
    >
      {state && <StateLines {...props} name={name} state={state} />}
    </ListRow>
  )
}
