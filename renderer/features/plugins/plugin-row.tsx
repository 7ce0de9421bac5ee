import {
  Bell,
  Cable,
  Filter,
  Globe,
  Pencil,
  SlidersHorizontal,
  UserRoundCog,
  Wrench,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { SwitchControl } from '../../ui/controls/switch.tsx'
import type { PluginEntry } from './plugin-kinds.ts'

interface PluginRowProps {
  readonly plugin: PluginEntry
  readonly onEdit: () => void
  readonly onValves: () => void
  readonly onUserValves: () => void
  readonly onToggle: () => void
  readonly onToggleGlobal: () => void
  readonly onRemove: () => void
  /** Re-enables it after a failure; absent for users without the permission. */
  readonly onRecover?: () => void
  /** Installs the package it cannot run without; absent for users without the permission. */
  readonly offer?: ReactNode
}

const canBeGlobal = ({ type }: PluginEntry): boolean => type === 'filter' || type === 'action'

const hasMenu = (plugin: PluginEntry): boolean =>
  plugin.mayChange || plugin.hasUserValves || canBeGlobal(plugin)

function RowMenu({
  plugin,
  onEdit,
  onValves,
  onUserValves,
  onToggleGlobal,
  onRemove,
}: PluginRowProps) {
  const { t } = useTranslation()
  return (
    <MoreMenu label={t('plugins.actionsOf', { name: plugin.name })}>
      {plugin.mayChange && (
        <>
          <MenuItem icon={<Pencil />} onSelect={onEdit}>
            {t('common.edit')}
          </MenuItem>
          <MenuItem icon={<SlidersHorizontal />} onSelect={onValves}>
            {t('plugins.settings')}
          </MenuItem>
        </>
      )}
      {plugin.hasUserValves && (
        <MenuItem icon={<UserRoundCog />} onSelect={onUserValves}>
          {t('plugins.ownSettings')}
        </MenuItem>
      )}
      {canBeGlobal(plugin) && (
        <MenuItem icon={<Globe />} onSelect={onToggleGlobal}>
          {t(plugin.isGlobal ? 'plugins.makeLocal' : 'plugins.makeGlobal')}
        </MenuItem>
      )}
      {plugin.mayChange && <RemovalItem onSelect={onRemove} />}
    </MoreMenu>
  )
}

const SIGNS = {
  tool: <Wrench />,
  filter: <Filter />,
  pipe: <Cable />,
  action: <Zap />,
  event: <Bell />,
} as const

function Fault({ fault, onRecover }: Pick<PluginRowProps, 'onRecover'> & { fault: string }) {
  const { t } = useTranslation()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small wrap-anywhere text-danger">
      <span className="min-w-0">{fault}</span>
      {onRecover && <Button onClick={onRecover}>{t('plugins.recover')}</Button>}
    </p>
  )
}

/** One plugin of the list. */
export function PluginRow(props: PluginRowProps) {
  const { t } = useTranslation()
  const { plugin, onEdit, onToggle, onRecover, offer } = props
  const { name, type, version, author, description, fault, isActive, isGlobal, isBuiltIn } = plugin
  return (
    <ListRow
      icon={SIGNS[type]}
      name={name}
      onOpen={plugin.mayChange ? onEdit : undefined}
      badges={
        <>
          {type !== 'tool' && <Badge>{t(`plugins.kind.${type}`)}</Badge>}
          {isBuiltIn && <Badge>{t('plugins.builtIn')}</Badge>}
          {isGlobal && <Badge tone="accent">{t('plugins.global')}</Badge>}
          {fault !== null && <Badge tone="danger">{t('plugins.notRunning')}</Badge>}
        </>
      }
      description={description}
      facts={[
        plugin.id,
        version && t('plugins.version', { version }),
        author,
        plugin.grants && <AccessMark key="access" grants={plugin.grants} />,
      ]}
      controls={
        type !== 'tool' && (
          <SwitchControl
            aria-label={t('plugins.use', { name })}
            checked={isActive}
            onChange={onToggle}
          />
        )
      }
      menu={hasMenu(plugin) ? <RowMenu {...props} /> : <span className="w-8 pointer-coarse:w-11" />}
    >
      {(fault !== null || offer) && (
        <>
          {fault !== null && <Fault fault={fault} onRecover={onRecover} />}
          {offer}
        </>
      )}
    </ListRow>
  )
}
