import { describe, expect, it } from 'vitest'
import type { ShownEvent } from '#contract/calendars.ts'
import {
  addDays,
  addMonths,
  daysOf,
  daysOfEvent,
  eventsOn,
  firstWeekday,
  step,
  toNanoseconds,
} from './days.ts'

const at = (text: string): number => toNanoseconds(new Date(text))
const event = (fields: Partial<ShownEvent>): ShownEvent =>
  ({ id: 'a', all_day: false, end_at: null, meta: null, start_at: 0, ...fields }) as ShownEvent

describe('days', () => {
  it('are counted over months, years and changed clocks', () => {
    expect(addDays('2030-12-31', 1)).toBe('2031-01-01')
    expect(addDays('2030-03-31', 1)).toBe('2030-04-01')
    expect(addMonths('2030-01-31', 1)).toBe('2030-02-28')
    expect(addMonths('2030-01-15', -1)).toBe('2029-12-15')
    expect(step('week', '2030-01-01', -1)).toBe('2029-12-25')
  })

  it('of a month are whole weeks that begin as the language has it', () => {
    expect(firstWeekday('en-US')).toBe(0)
    expect(firstWeekday('de-DE')).toBe(1)
    const days = daysOf('month', '2030-02-10', 1)
    expect([days.length, days[0], days.at(-1)]).toEqual([35, '2030-01-28', '2030-03-03'])
    expect(daysOf('week', '2030-02-10', 0)).toEqual([
      '2030-02-10',
      '2030-02-11',
      '2030-02-12',
      '2030-02-13',
      '2030-02-14',
      '2030-02-15',
      '2030-02-16',
    ])
  })

  it('of an event are those of its zone for whole days, and end with the last one it touches', () => {
    const fair = event({
      all_day: true,
      start_at: at('2030-01-01T15:00:00Z'),
      end_at: at('2030-01-03T15:00:00Z'),
      meta: { timezone: 'Asia/Tokyo' },
    })
    expect(daysOfEvent(fair)).toEqual({ first: '2030-01-02', last: '2030-01-03' })
    expect(daysOfEvent({ ...fair, meta: { timezone: 'Nowhere/Land' } }).first).toMatch(
      /^2030-01-0[12]$/,
    )
    const late = event({ start_at: at('2030-01-05T20:00'), end_at: at('2030-01-06T00:00') })
    expect(daysOfEvent(late)).toEqual({ first: '2030-01-05', last: '2030-01-05' })
  })

  it('list whole days first, then what comes earlier', () => {
    const list = [
      event({ id: 'late', start_at: at('2030-01-05T20:00') }),
      event({ id: 'early', start_at: at('2030-01-05T08:00') }),
      event({ id: 'whole', all_day: true, start_at: at('2030-01-05T00:00') }),
      event({ id: 'other', start_at: at('2030-01-06T08:00') }),
    ]
    expect(eventsOn(list, '2030-01-05').map(({ id }) => id)).toEqual(['whole', 'early', 'late'])
  })
})
