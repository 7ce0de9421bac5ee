import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Schedule } from './schedule.ts'
import { toInstant, toWallTime } from './wall-clock.ts'

const NOW = Date.UTC(2026, 0, 1)
const read = (text: string, timezone: string | null = 'Europe/Berlin') =>
  Schedule.read(text, { timezone, anchor: NOW })
const show = (times: readonly number[]) => times.map((time) => new Date(time).toISOString())

describe('the times of a rule', () => {
  it('are those of the clock on the wall, before and after it is put forward and back', async () => {
    const daily = await read('DTSTART:20260101T023000\nRRULE:FREQ=DAILY')
    expect(show(daily.next(Date.UTC(2026, 2, 27, 12), 3))).toEqual([
      '2026-03-28T01:30:00.000Z',
      // 02:30 does not exist that night.
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    expect(show(daily.next(Date.UTC(2026, 9, 24, 12), 2))).toEqual([
      // 02:30 occurs twice; the first counts.
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('by hours count the time that goes by', async () => {
    const hourly = await read('DTSTART:20260329T000000\nRRULE:FREQ=HOURLY;INTERVAL=2')
    expect(show(hourly.next(Date.UTC(2026, 2, 28, 22), 3))).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T03:00:00.000Z',
    ])
  })

  it('know weekdays, last days of months, ends, counts and zones of their own', async () => {
    const weekly = await read('DTSTART:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO,FR', 'UTC')
    expect(show(weekly.next(NOW, 2))).toEqual([
      '2026-01-05T09:00:00.000Z',
      '2026-01-09T09:00:00.000Z',
    ])
    const last = await read('DTSTART:20260101T120000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1', 'UTC')
    expect(show(last.next(NOW, 2))).toEqual([
      '2026-01-31T12:00:00.000Z',
      '2026-02-28T12:00:00.000Z',
    ])
    const counted = await read('DTSTART:20260101T120000\nRRULE:FREQ=DAILY;COUNT=2', 'UTC')
    expect(counted.next(NOW, 5)).toHaveLength(2)
    expect(counted.next(Date.UTC(2026, 5), 5)).toEqual([])
    const ending = await read(
      'DTSTART;TZID=Asia/Kolkata:20260101T090000\nRRULE:FREQ=DAILY;UNTIL=20260103T033000Z',
    )
    expect(show(ending.next(NOW, 9))).toEqual([
      '2026-01-01T03:30:00.000Z',
      '2026-01-02T03:30:00.000Z',
      '2026-01-03T03:30:00.000Z',
    ])
    const bare = await read('FREQ=YEARLY', 'UTC')
    expect(show(bare.next(NOW, 1))).toEqual(['2027-01-01T00:00:00.000Z'])
  })

  it('are found at once however long ago a rule began', async () => {
    const old = await read('DTSTART:19700101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=7', 'UTC')
    const [first, second] = old.next(NOW, 2)
    expect(second! - first!).toBe(7 * 60_000)
    expect((first! / 60_000) % 7).toBe(0)
  })

  it.each([
    ['19700105T090000', 'YEARLY', '2027-01-05'],
    ['19800229T090000', 'YEARLY', '2028-02-29'],
    ['19810704T090000', 'YEARLY;INTERVAL=3', '2026-07-04'],
    ['19700131T090000', 'MONTHLY', '2026-01-31'],
    ['19720310T090000', 'MONTHLY;INTERVAL=5', '2026-05-10'],
    ['19700101T090000', 'MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-01-30'],
  ])('of months and years go on from %s, %s', async (start, rule, day) => {
    const old = await read(`DTSTART:${start}\nRRULE:FREQ=${rule}`, 'UTC')
    const after = rule === 'YEARLY' ? NOW + 5 * 86_400_000 : NOW
    expect(show(old.next(after, 1))).toEqual([`${day}T09:00:00.000Z`])
  })

  it.each([
    '',
    'nonsense',
    'RRULE:FREQ=SECONDLY',
    'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY',
    'RRULE:FREQ=DAILY\nEXDATE:20301301T000000',
    'RRULE:FREQ=DAILY;INTERVAL=0',
    'RRULE:FREQ=DAILY;INTERVAL=-1',
    'RRULE:FREQ=DAILY;COUNT=1000000',
    'RRULE:FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30',
    'RRULE:FREQ=HOURLY;INTERVAL=24;BYHOUR=3',
    'RRULE:FREQ=DAILY;BYDAY=XX',
    'RRULE:FREQ=DAILY;FREQ=DAILY',
    'DTSTART:20261301T000000\nRRULE:FREQ=DAILY',
    'DTSTART:99990101T000000\nRRULE:FREQ=DAILY',
    'DTSTART;TZID=Mars/Olympus:20260101T000000\nRRULE:FREQ=DAILY',
  ])('%j is refused as no rule', async (text) => {
    await expect(read(text)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^Invalid RRULE: /),
    })
  })

  it.each([
    'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'RRULE:FREQ=MONTHLY;BYDAY=6MO',
    'RRULE:FREQ=MINUTELY;INTERVAL=10080;BYDAY=MO',
    'RRULE:FREQ=WEEKLY;BYMONTHDAY=31;BYMONTH=2',
  ])('%s never comes, which is found out in a bounded number of steps', async (text) => {
    expect((await read(text, 'UTC')).next(NOW, 1)).toEqual([])
  })

  it('of any rule are in order, in the future, and found or refused in words', async () => {
    const name = fc.constantFrom(
      'INTERVAL=',
      'COUNT=',
      'UNTIL=',
      'BYDAY=',
      'BYMONTH=',
      'BYMONTHDAY=',
      'BYYEARDAY=',
      'BYWEEKNO=',
      'BYSETPOS=',
      'BYHOUR=',
      'BYMINUTE=',
      'BYSECOND=',
      'WKST=',
      'BYEASTER=',
      '=',
    )
    const value = fc.oneof(
      fc.integer({ min: -400, max: 400 }).map(String),
      fc.constantFrom('MO', '-1FR', '20260301T000000', '20260301T000000Z', 'XX', '1,2,3', ''),
    )
    const rule = fc.record({
      frequency: fc.constantFrom('MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      parts: fc.array(fc.tuple(name, value), { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(rule, async ({ frequency, parts }) => {
        const text = [`RRULE:FREQ=${frequency}`, ...parts.map((part) => part.join(''))].join(';')
        const times = await read(text).then(
          (schedule) => schedule.next(NOW, 4),
          (error: { status?: number }) => error.status,
        )
        const isFine = Array.isArray(times)
          ? times.every((time, index) => time > (times[index - 1] ?? NOW))
          : times === 400
        expect(isFine, text).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

it('a moment and what a clock shows then belong together', () => {
  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  ])
    for (let time = NOW; time < NOW + 366 * 86_400_000; time += 5 * 3_600_000 + 60_000) {
      const wall = toWallTime(time, zone)
      const back = toInstant(wall, zone)
      // For an hour that occurs twice the first is meant.
      expect([0, 1_800_000, 3_600_000], `${zone} ${time}`).toContain(time - back)
      expect(toWallTime(back, zone)).toBe(wall)
    }
})

it('times that are left out do not come, whole days of them neither', async () => {
  const rule =
    'DTSTART:20300101T090000\nRRULE:FREQ=DAILY;COUNT=6\nEXDATE:20300102T090000,20300103T090100\nEXDATE;VALUE=DATE:20300104\nEXDATE:20300105T080000Z'
  const schedule = await Schedule.read(rule, { timezone: 'Europe/Berlin', anchor: 0 })
  const times = schedule.next(0, 10).map((time) => new Date(time).toISOString().slice(8, 13))
  expect(times).toEqual(['01T08', '03T08', '06T08'])
})
