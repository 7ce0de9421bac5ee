import type { Options, RRule as Rule } from 'rrule'
import { badRule, readRule, type ParsedRule } from './read-rule.ts'
import { isTimeZone, ownTimeZone, toInstant, toWallTime } from './wall-clock.ts'

const DAY = 86_400_000
/**
 * Maximum number of steps of the library for one time: several years, and well below one turn of
 * the event loop.
 */
const MOST_STEPS: Readonly<Record<string, number>> = {
  MINUTELY: 1600,
  HOURLY: 1600,
  DAILY: 1600,
  WEEKLY: 600,
  MONTHLY: 400,
  YEARLY: 40,
}
const MOST_FOUND = 1200

type RuleClass = new (options: Partial<Options>) => Rule
let ruleClass: Promise<{ RRule: RuleClass; parse: (text: string) => Partial<Options> }> | undefined

/** Loads the library with the first rule, because most gateways have none. */
async function loadLibrary() {
  const library = await import('rrule')
  // Node loads it as CommonJS, the gateway's bundle as a module.
  const { RRule } = 'RRule' in library ? library : (library as { default: typeof library }).default
  return { RRule: RRule as RuleClass, parse: (text: string) => RRule.parseString(text) }
}

/**
 * Limits the steps of the library.
 * @NOTE For a rule that never matches, the library continues to the year 9999. It stops if the
 *   interval is 0, which this code sets after the maximum number of steps.
 */
function boundSteps({ options }: Rule, most: number): void {
  const { interval } = options
  let looks = 0
  Object.defineProperty(options, 'interval', {
    // Each step reads it twice.
    get: () => ((looks += 1) > 2 * most ? 0 : interval),
  })
}

/** Run times of an automation. */
export class Schedule {
  readonly #rule: ParsedRule
  readonly #zone: string
  readonly #anchor: number
  readonly #library: Awaited<ReturnType<typeof loadLibrary>>

  private constructor(
    rule: ParsedRule,
    zone: string,
    { anchor, library }: { anchor: number; library: Awaited<ReturnType<typeof loadLibrary>> },
  ) {
    this.#rule = rule
    this.#zone = zone
    this.#anchor = anchor
    this.#library = library
  }

  /**
   * Parses a rule; throws 400 for an invalid one. Without a start of its own it starts at the
   * `anchor`, unix milliseconds.
   */
  static async read(
    text: string,
    { timezone, anchor }: { timezone: string | null; anchor: number },
  ): Promise<Schedule> {
    const rule = readRule(text)
    const zone = rule.zone ?? timezone ?? ownTimeZone()
    if (!isTimeZone(zone)) throw badRule(`"${zone.slice(0, 60)}" is not a time zone.`)
    const library = await (ruleClass ??= loadLibrary())
    return new Schedule(rule, zone, { anchor, library })
  }

  /**
   * Returns the first `count` times from `from` (inclusive) to `to` (exclusive), unix milliseconds.
   */
  between(from: number, to: number, count: number): number[] {
    return this.#find(from - 1, { count, isOver: (moment) => moment >= to })
  }

  /** Returns the first `count` times after a given one, unix milliseconds. */
  next(after: number, count: number): number[] {
    return this.#find(after, { count, isOver: () => false })
  }

  #find(
    after: number,
    { count, isOver }: { count: number; isOver: (moment: number) => boolean },
  ): number[] {
    const { rule, toMoment, from } = this.#prepare(after)
    const found: number[] = []
    const isExcluded = this.#readExcluded()
    let looked = 0
    const counted = Number(this.#rule.parts.get('COUNT') ?? 0)
    boundSteps(rule, MOST_STEPS[this.#rule.frequency]! + counted)
    const seen = (date: Date): boolean => {
      const moment = toMoment(date.getTime())
      if (isOver(moment)) return false
      // Two wall-clock times may be the same instant when clocks are put forward.
      if (moment > after && moment > (found.at(-1) ?? 0) && !isExcluded(moment)) found.push(moment)
      looked += 1
      return found.length < count && looked < MOST_FOUND
    }
    rule.all((date) => date.getTime() < from - DAY || seen(date))
    return found
  }

  #readExcluded(): (moment: number) => boolean {
    const { excluded } = this.#rule
    if (excluded.length === 0) return () => false
    const zoneOf = (named: string | null): string =>
      named !== null && isTimeZone(named) ? named : this.#zone
    const moments = new Set(
      excluded
        .filter(({ isDay }) => !isDay)
        .map(({ time, isUtc, zone }) => (isUtc ? time : toInstant(time, zoneOf(zone)))),
    )
    const days = new Set(excluded.filter(({ isDay }) => isDay).map(({ time }) => time))
    const dayOf = (moment: number): number => Math.floor(toWallTime(moment, this.#zone) / DAY) * DAY
    return (moment) => moments.has(moment) || (days.size > 0 && days.has(dayOf(moment)))
  }

  /** Returns true if one of its occurrences is at this moment. */
  has(moment: number): boolean {
    return this.between(moment, moment + 1, 1).length > 0
  }

  /** Time zone of the schedule. */
  get zone(): string {
    return this.#zone
  }

  /**
   * Prepares the rule. Rules by minutes and hours count elapsed time; all others, and those
   * restricted to certain days, follow the wall clock.
   */
  #prepare(after: number) {
    const { frequency, parts, start, until, unit, interval } = this.#rule
    const zone = this.#zone
    const isElapsed =
      (frequency === 'MINUTELY' || frequency === 'HOURLY') &&
      !parts.has('BYDAY') &&
      !parts.has('BYMINUTE')
    const toMoment = (time: number): number => (isElapsed ? time : toInstant(time, zone))
    const toTime = (moment: number): number => (isElapsed ? moment : toWallTime(moment, zone))
    const read = ({ time, isUtc }: { time: number; isUtc: boolean }): number =>
      toTime(isUtc ? time : toInstant(time, zone))
    const from = toTime(after)
    let begin = start ? read(start) : toTime(Math.floor(this.#anchor / 60_000) * 60_000)
    // The distant past is skipped, unless the runs are counted.
    if (!parts.has('COUNT'))
      begin = unit === null ? skipYears(begin, from, interval) : skip(begin, from, unit * interval)
    const { RRule, parse } = this.#library
    const text = [...parts].filter(([name]) => name !== 'UNTIL').map((part) => part.join('='))
    const options = parseOptions(() => parse(text.join(';')))
    const rule = new RRule({
      ...options,
      dtstart: new Date(begin),
      tzid: null,
      ...(until && { until: new Date(read(until)) }),
    })
    return { rule, toMoment, from }
  }
}

/** Returns the last start not long before a time, in whole steps from the first start. */
function skip(begin: number, from: number, step: number): number {
  const skipped = Math.floor((from - 2 * DAY - begin) / step)
  return skipped > 0 ? begin + skipped * step : begin
}

/**
 * Same as `skip`, for steps of months and years: as many times four years as the interval has
 * steps, so that the 29th of February stays one.
 */
function skipYears(begin: number, from: number, interval: number): number {
  const date = new Date(begin)
  const day = date.getUTCDate()
  const step = 4 * interval
  const years = new Date(from).getUTCFullYear() - 1 - date.getUTCFullYear()
  const skipped = Math.floor(years / step)
  if (skipped <= 0) return begin
  date.setUTCFullYear(date.getUTCFullYear() + skipped * step)
  // Not every hundredth year has that day.
  return date.getUTCDate() === day ? date.getTime() : begin
}

function parseOptions(parse: () => Partial<Options>): Partial<Options> {
  try {
    return parse()
  } catch {
    throw badRule('One of its values cannot be understood.')
  }
}
