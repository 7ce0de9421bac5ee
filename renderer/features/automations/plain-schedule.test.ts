import { describe, expect, it } from 'vitest'
import { DEFAULT_SCHEDULE, KINDS, readRule, toRule } from './plain-schedule.ts'

const TODAY = new Date(2026, 10, 7)

describe('a schedule as people choose it', () => {
  it('is written as a rule that starts today, and read back as it was chosen', () => {
    expect(toRule(DEFAULT_SCHEDULE, TODAY)).toBe('DTSTART:20261107T090000\nRRULE:FREQ=DAILY')
    for (const kind of KINDS.filter((each) => each !== 'rule')) {
      const schedule = {
        ...DEFAULT_SCHEDULE,
        kind,
        time: '17:30',
        weekday: 'FR',
        monthDay: 31,
        hours: 4,
      }
      const rule = toRule(schedule, TODAY)
      const again = readRule(rule)
      expect(again.kind).toBe(kind)
      expect(toRule(again, TODAY)).toBe(rule)
    }
  })

  it('that cannot be chosen stays the rule it is', () => {
    for (const rule of [
      'RRULE:FREQ=YEARLY',
      'DTSTART:20261107T090000\nRRULE:FREQ=DAILY;COUNT=2',
      '',
    ]) {
      expect(readRule(rule)).toMatchObject({ kind: 'rule', rule })
      expect(toRule(readRule(rule), TODAY)).toBe(rule)
    }
    expect(readRule(null).kind).toBe('called')
  })
})
