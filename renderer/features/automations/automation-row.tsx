import { CalendarClock, CircleStop, History, Pause, Pencil, Play, Webhook, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Automation } from '#contract/automations.ts'
import { formatAge, formatMoment } from '../../lib/format-time.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { nameOf } from './name-of.ts'

const NANOSECONDS = 1e9

export interface AutomationRowProps {
  readonly automation: Automation
  readonly onEdit: () => void
  readonly onRun: () => void
  readonly onCancel: () => void
  readonly onToggle: () => void
  readonly onHistory: () => void
  readonly onAddress: () => void
  readonly onRemove: () => void
}

function RowMenu(props: AutomationRowProps) {
  const { t } = useTranslation()
  const { automation } = props
  const isRunning = automation.last_run?.status === 'running'
  return (
    <MoreMenu label={t('automations.actionsOf', { name: nameOf(automation) })}>
      {isRunning ? (
        <MenuItem icon={<CircleStop />} onSelect={props.onCancel}>
          {t('automations.cancelRun')}
        </MenuItem>
      ) : (
        <MenuItem icon={<Zap />} onSelect={props.onRun}>
          {t('automations.runNow')}
        </MenuItem>
      )}
      <MenuItem icon={<History />} onSelect={props.onHistory}>
        {t('automations.history')}
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={props.onEdit}>
        {t('common.edit')}
      </MenuItem>
      <MenuItem icon={automation.is_active ? <Pause /> : <Play />} onSelect={props.onToggle}>
        {automation.is_active ? t('automations.pause') : t('automations.resume')}
      </MenuItem>
      <MenuItem icon={<Webhook />} onSelect={props.onAddress}>
        {t('automations.address')}
      </MenuItem>
      <RemovalItem onSelect={props.onRemove} />
    </MoreMenu>
  )
}

/** One automation; a click opens it. */
export function AutomationRow(props: AutomationRowProps) {
  const { t } = useTranslation()
  const { automation, onEdit } = props
  const { last_run: last, next_run_at: next, is_active: isActive, data } = automation
  return (
    <ListRow
      icon={<CalendarClock />}
      name={nameOf(automation)}
      onOpen={onEdit}
      badges={
        <>
          {!isActive && <Badge>{t('automations.paused')}</Badge>}
          {last?.status === 'running' && <Badge tone="accent">{t('automations.running')}</Badge>}
        </>
      }
      description={data.prompt}
      facts={[
        isActive &&
          next !== null &&
          t('automations.next', { time: formatMoment(next / NANOSECONDS) }),
        isActive && next === null && t('automations.onlyCalled'),
        last
          ? t('automations.lastRun', {
              age: formatAge(last.created_at / NANOSECONDS),
              status: t(`automations.statuses.${last.status}`),
            })
          : t('automations.neverRun'),
      ]}
      menu={<RowMenu {...props} />}
    />
  )
}
