import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { Select } from '../../ui/controls/select.tsx'
import { PickerField } from '../../ui/fields/picker-field.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { KINDS, toRule, WEEKDAYS, type PlainSchedule } from './plain-schedule.ts'

const WAIT = 300
const SHOWN = 3
const NANOSECONDS = 1e6
const MOST_HOURS = 168

/** A Monday, used to format weekday names. */
const MONDAY = Date.UTC(2026, 0, 5)

const nameWeekday = (place: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', timeZone: 'UTC' }).format(
    MONDAY + place * 86_400_000,
  )

const formatTime = (nanoseconds: number, timeZone: string): string =>
  new Intl.DateTimeFormat(formatLocale(), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  }).format(nanoseconds / NANOSECONDS)

/** The next run times as calculated by the gateway, or the error in the rule. */
function NextTimes({ rule, zone }: { rule: string; zone: string }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<{ times: readonly number[]; problem: string | null } | null>(
    null,
  )
  useEffect(() => {
    const abort = new AbortController()
    const look = async (): Promise<void> => {
      try {
        const body = { rrule: rule, timezone: zone }
        const { next_runs: times } = await call(
          endpoints.automations.preview,
          { body },
          { signal: abort.signal },
        )
        setShown({ times: times.slice(0, SHOWN), problem: null })
      } catch (thrown) {
        if (!isAborted(thrown)) setShown({ times: [], problem: toSentence(thrown) })
      }
    }
    const timer = setTimeout(() => void look(), WAIT)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [rule, zone])
  return (
    <div aria-live="polite" className="rounded-medium bg-sunken p-3 text-small">
      {shown?.problem && <p className="text-danger">{shown.problem}</p>}
      {shown && !shown.problem && (
        <>
          <p className="font-medium">{t('automations.nextTimes')}</p>
          <ul className="mt-1 text-muted">
            {shown.times.map((time) => (
              <li key={time}>{formatTime(time, zone)}</li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-1 text-muted">{t('automations.zone', { zone })}</p>
    </div>
  )
}

interface ScheduleFieldsProps {
  readonly schedule: PlainSchedule
  readonly zone: string
  readonly onChange: (part: Partial<PlainSchedule>) => void
  readonly onZoneChange: (zone: string) => void
}

/** Returns the time zones this browser supports, plus the chosen one if it has a different name. */
const zonesWith = (zone: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].toSorted()

function Details({ schedule, onChange }: Omit<ScheduleFieldsProps, 'zone' | 'onZoneChange'>) {
  const { t } = useTranslation()
  const { kind } = schedule
  return (
    <>
      {kind === 'hours' && (
        <TextField
          label={t('automations.hours')}
          type="number"
          required
          min={1}
          max={MOST_HOURS}
          value={schedule.hours}
          onChange={(value) => onChange({ hours: Number(value) })}
        />
      )}
      {kind === 'weekly' && (
        <Select
          label={t('automations.weekday')}
          value={schedule.weekday}
          options={WEEKDAYS.map((value, place) => ({ value, label: nameWeekday(place) }))}
          onChange={(weekday) => onChange({ weekday })}
        />
      )}
      {kind === 'monthly' && (
        <TextField
          label={t('automations.monthDay')}
          hint={t('automations.monthDayHint')}
          type="number"
          required
          min={1}
          max={31}
          value={schedule.monthDay}
          onChange={(value) => onChange({ monthDay: Number(value) })}
        />
      )}
      {kind !== 'called' && kind !== 'rule' && (
        <PickerField
          label={t('automations.time')}
          type="time"
          required
          value={schedule.time}
          onChange={(time) => onChange({ time })}
        />
      )}
    </>
  )
}

/** Schedule of an automation, and its next run times. */
export function ScheduleFields({ schedule, zone, onChange, onZoneChange }: ScheduleFieldsProps) {
  const { t } = useTranslation()
  const rule = toRule(schedule)
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={t('automations.schedule')}
          value={schedule.kind}
          options={KINDS.map((value) => ({ value, label: t(`automations.kinds.${value}`) }))}
          onChange={(value) =>
            onChange({
              kind: value as PlainSchedule['kind'],
              ...(value === 'rule' && { rule: rule ?? schedule.rule }),
            })
          }
        />
        <Details schedule={schedule} onChange={onChange} />
        {schedule.kind !== 'called' && (
          <Select
            label={t('automations.timeZone')}
            value={zone}
            options={zonesWith(zone).map((value) => ({
              value,
              label: value.replaceAll('_', ' '),
              isExempt: true,
            }))}
            onChange={onZoneChange}
          />
        )}
      </div>
      {schedule.kind === 'rule' && (
        <TextArea
          label={t('automations.rule')}
          hint={t('automations.ruleHint')}
          required
          dir="ltr"
          spellCheck={false}
          maxLength={2000}
          value={schedule.rule}
          onChange={(rule) => onChange({ rule })}
        />
      )}
      {rule && <NextTimes rule={rule} zone={zone} />}
    </div>
  )
}
