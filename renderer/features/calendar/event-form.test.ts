import { describe, expect, it } from 'vitest'
import type { CalendarEvent } from '#contract/calendars.ts'
import { toNanoseconds } from './days.ts'
import { endsFirst, newForm, onTimeOf, toForm, toInput } from './event-form.ts'

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone
const stored = (input: ReturnType<typeof toInput>): CalendarEvent =>
  ({ data: null, color: null, ...input, attendees: [] }) as unknown as CalendarEvent

describe('the form of an event', () => {
  it('begins at the next hour of today, and at nine of another day', () => {
    const now = new Date(2030, 0, 5, 14, 20)
    expect(newForm('2030-01-05', 'a', now)).toMatchObject({ startTime: '15:00', endTime: '16:00' })
    expect(newForm('2030-01-06', 'a', now)).toMatchObject({ startTime: '09:00', endTime: '10:00' })
  })

  it('says what was filled in, and reads it again', () => {
    const form = {
      ...newForm('2030-01-06', 'a'),
      title: 'Meeting',
      repeat: 'weekly' as const,
      until: '2030-03-01',
    }
    const input = toInput(form, null, ZONE)
    expect(input).toMatchObject({
      start_at: toNanoseconds(new Date(2030, 0, 6, 9)),
      rrule: 'RRULE:FREQ=WEEKLY;UNTIL=20300301T235959',
      meta: { timezone: ZONE },
    })
    expect(toForm(stored(input))).toEqual(form)
  })

  it('of one occurrence keeps its own clock times', () => {
    const form = { ...newForm('2030-01-06', 'a'), repeat: 'weekly' as const }
    const event = stored(toInput(form, null, 'America/New_York'))
    // Its zone put the clocks forward, the local one did not.
    const time = {
      start_at: toNanoseconds(new Date(2030, 2, 17, 8)),
      end_at: toNanoseconds(new Date(2030, 2, 17, 9)),
    }
    const shown = onTimeOf(toForm(event), event, time)
    const input = toInput(shown, event, ZONE)
    expect([input.start_at, input.end_at]).toEqual([time.start_at, time.end_at])
  })

  it('of whole days ends with the last of them', () => {
    const form = { ...newForm('2030-01-06', 'a'), isAllDay: true, endDay: '2030-01-07' }
    const input = toInput(form, null, ZONE)
    expect(input.end_at).toBe(toNanoseconds(new Date(2030, 0, 8)))
    expect(toForm(stored(input))).toMatchObject({ startDay: '2030-01-06', endDay: '2030-01-07' })
  })

  it('keeps a rule it has no choice for, and says when the end comes first', () => {
    const rule = 'RRULE:FREQ=MONTHLY;BYDAY=1MO'
    const input = { ...toInput(newForm('2030-01-06', 'a'), null, ZONE), rrule: rule }
    const form = toForm(stored(input))
    expect(form).toMatchObject({ repeat: 'rule', rule })
    expect(toInput(form, null, ZONE).rrule).toBe(rule)
    expect(endsFirst(form)).toBe(false)
    expect(endsFirst({ ...form, endTime: '08:00' })).toBe(true)
  })

  it('keeps which times are left out beside the rule that is chosen', () => {
    const rule = 'RRULE:FREQ=WEEKLY;UNTIL=20300301T235959\nEXDATE:20300113T090000'
    const input = { ...toInput(newForm('2030-01-06', 'a'), null, ZONE), rrule: rule }
    const form = toForm(stored(input))
    expect(form).toMatchObject({ repeat: 'weekly', until: '2030-03-01' })
    expect(toInput(form, null, ZONE).rrule).toBe(rule)
    expect(toInput({ ...form, repeat: 'none' }, null, ZONE).rrule).toBeNull()
  })
})
