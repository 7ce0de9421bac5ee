import { useTranslation } from 'react-i18next'
import type { Calendar } from '#contract/calendars.ts'
import { classNames } from '../../lib/class-names.ts'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { PickerField } from '../../ui/fields/picker-field.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { endsFirst, REPEATS, type EventForm, type Repeat } from './event-form.ts'
import { calendarName } from './show-event.ts'

export interface EventFieldsProps {
  readonly form: EventForm
  /** Calendars the user may write to. */
  readonly calendars: readonly Calendar[]
  /** False for a single occurrence of a series, which cannot repeat itself. */
  readonly mayRepeat: boolean
  readonly onChange: (part: Partial<EventForm>) => void
}

function TimeFields({ form, onChange }: Pick<EventFieldsProps, 'form' | 'onChange'>) {
  const { t } = useTranslation()
  const { startDay, endDay, isAllDay } = form
  const moveStart = (day: string): void =>
    onChange({ startDay: day, ...(endDay < day && { endDay: day }) })
  return (
    <div className="grid grid-cols-2 gap-4">
      <PickerField
        label={t('calendar.start')}
        type="date"
        required
        value={startDay}
        onChange={moveStart}
      />
      {!isAllDay && (
        <PickerField
          label={t('calendar.startTime')}
          type="time"
          required
          value={form.startTime}
          onChange={(startTime) => onChange({ startTime })}
        />
      )}
      <PickerField
        label={t('calendar.end')}
        type="date"
        required
        min={startDay}
        value={endDay}
        error={endsFirst(form) ? t('calendar.endFirst') : null}
        onChange={(endDay) => onChange({ endDay })}
      />
      {!isAllDay && (
        <PickerField
          label={t('calendar.endTime')}
          type="time"
          required
          value={form.endTime}
          onChange={(endTime) => onChange({ endTime })}
        />
      )}
    </div>
  )
}

function RepeatFields({ form, onChange }: Pick<EventFieldsProps, 'form' | 'onChange'>) {
  const { t } = useTranslation()
  const { repeat } = form
  const mayEnd = repeat !== 'none' && repeat !== 'rule'
  return (
    <>
      <div className={classNames('grid gap-4', mayEnd && 'sm:grid-cols-2')}>
        <Select
          label={t('calendar.repeat')}
          value={repeat}
          options={REPEATS.map((value) => ({ value, label: t(`calendar.repeats.${value}`) }))}
          onChange={(value) => onChange({ repeat: value as Repeat })}
        />
        {mayEnd && (
          <PickerField
            label={t('calendar.until')}
            hint={t('calendar.untilHint')}
            type="date"
            min={form.startDay}
            value={form.until}
            onChange={(until) => onChange({ until })}
          />
        )}
      </div>
      {repeat === 'rule' && (
        <TextArea
          label={t('calendar.rule')}
          hint={t('calendar.ruleHint')}
          required
          dir="ltr"
          rows={2}
          spellCheck={false}
          maxLength={2000}
          value={form.rule}
          onChange={(rule) => onChange({ rule })}
        />
      )}
    </>
  )
}

const REMINDERS = [null, 0, 5, 15, 30, 60, 1440]

/**
 * Selects when the reminder is sent; another client may have set a time that is not in this list.
 */
function ReminderField({ form, onChange }: Pick<EventFieldsProps, 'form' | 'onChange'>) {
  const { t } = useTranslation()
  const labelOf = (minutes: number | null): string => {
    if (minutes === null) return t('calendar.reminders.none')
    if (minutes === 0) return t('calendar.reminders.atStart')
    if (minutes === 60) return t('calendar.reminders.hour')
    if (minutes === 1440) return t('calendar.reminders.day')
    return t('calendar.reminders.minutes', { count: minutes })
  }
  const offered = REMINDERS.includes(form.reminder) ? REMINDERS : [...REMINDERS, form.reminder]
  return (
    <Select
      label={t('calendar.reminder')}
      hint={t('calendar.reminderHint')}
      value={String(form.reminder)}
      options={offered.map((each) => ({ value: String(each), label: labelOf(each) }))}
      onChange={(value) => onChange({ reminder: value === 'null' ? null : Number(value) })}
    />
  )
}

/** Title, time and place of an event. */
export function EventFields({ form, calendars, mayRepeat, onChange }: EventFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('calendar.title')}
        data-first-focus=""
        required
        maxLength={500}
        autoComplete="off"
        value={form.title}
        onChange={(title) => onChange({ title })}
      />
      <Switch
        label={t('calendar.allDay')}
        checked={form.isAllDay}
        onChange={(isAllDay) => onChange({ isAllDay })}
      />
      <TimeFields form={form} onChange={onChange} />
      {mayRepeat && <RepeatFields form={form} onChange={onChange} />}
      <ReminderField form={form} onChange={onChange} />
      {calendars.length > 1 && (
        <Select
          label={t('calendar.calendar')}
          value={form.calendarId}
          options={calendars.map((calendar) => ({
            value: calendar.id,
            label: calendarName(calendar),
            isExempt: true,
          }))}
          onChange={(calendarId) => onChange({ calendarId })}
        />
      )}
      <TextField
        label={t('calendar.place')}
        maxLength={1000}
        autoComplete="off"
        value={form.location}
        onChange={(location) => onChange({ location })}
      />
      <TextArea
        label={t('calendar.notes')}
        rows={3}
        maxLength={20_000}
        value={form.description}
        onChange={(description) => onChange({ description })}
      />
    </>
  )
}
