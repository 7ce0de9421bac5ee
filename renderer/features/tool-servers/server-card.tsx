import { Ellipsis, Pencil, RefreshCw, ScrollText, ShieldCheck, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ToolServer, ToolServerState } from '#contract/tool-servers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { SwitchControl } from '../../ui/switch.tsx'
import { ToolList } from './tool-list.tsx'

interface ServerCardProps {
  readonly server: ToolServer
  readonly state: ToolServerState | null
  readonly onEdit: () => void
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
    <Menu
      trigger={
        <IconButton
          label={t('toolServers.actionsOf', { name: server.info.name || server.info.id })}
          icon={<Ellipsis />}
        />
      }
    >
      <MenuItem icon={<Pencil />} onSelect={onEdit}>
        {t('common.edit')}
      </MenuItem>
      <MenuItem icon={<RefreshCw />} onSelect={onCheck}>
        {t('toolServers.check')}
      </MenuItem>
      <MenuItem icon={<ScrollText />} onSelect={onLog}>
        {t('toolServers.log')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={onRemove}>
        {t('common.remove')}
      </MenuItem>
    </Menu>
  )
}

/** One tool server: where it is, how it fares, what it offers. */
export function ServerCard(props: ServerCardProps) {
  const { t } = useTranslation()
  const { server, state, onToggle, onApprove } = props
  const name = server.info.name || server.info.id
  const place = server.command === '' ? server.url : [server.command, ...server.args].join(' ')
  return (
    <li className="flex items-start gap-3 py-3 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <bdi className="max-w-full truncate font-medium">{name}</bdi>
          <Badge>
            {t(
              `toolServers.kinds.${server.type === 'openapi' ? 'openapi' : server.command === '' ? 'mcp' : 'program'}`,
            )}
          </Badge>
          {server.origin === 'environment' && <Badge>{t('toolServers.environmentOrigin')}</Badge>}
          {state && (
            <Badge tone={TONES[state.status]}>{t(`toolServers.status.${state.status}`)}</Badge>
          )}
        </p>
        <p dir="ltr" className="mt-0.5 truncate font-mono text-small text-muted">
          {place}
        </p>
        {state?.detail && (
          <p className="mt-1 text-small text-pretty wrap-anywhere text-danger">{state.detail}</p>
        )}
        {state && (
          <ToolList
            tools={state.tools.map((tool) => ({
              ...tool,
              isChanged: state.changed_tools.includes(tool.name),
            }))}
          />
        )}
        {state?.status === 'changed' && state.fingerprint !== null && (
          <Button className="mt-2" icon={<ShieldCheck className="size-4" />} onClick={onApprove}>
            {t('toolServers.approve')}
          </Button>
        )}
      </div>
      <span className="mt-1">
        <SwitchControl
          aria-label={t('toolServers.use', { name })}
          checked={server.config.enable}
          onChange={onToggle}
        />
      </span>
      <CardMenu {...props} />
    </li>
  )
}
