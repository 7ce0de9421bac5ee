import type { Options, RRule as Rule } from 'rrule'
import { badRule, readRule, type ParsedRule } from './read-rule.ts'
import { isTimeZone, ownTimeZone, toInstant, toWallTime } from './wall-clock.ts'

const DAY = 86_400_000
/** Steps the library may take for one time: some years, and well below a turn of the event loop. */
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

/** The library is fetched with the first rule, since most gateways have none. */
async function loadLibrary() {
  const library = await import('rrule')
  // Node reads it as CommonJS, the bundle of the gateway as a module.
  const { RRule } = 'RRule' in library ? library : (library as { default: typeof library }).default
  return { RRule: RRule as RuleClass, parse: (text: string) => RRule.parseString(text) }
}

/**
 * @NOTE The library goes on to the year 9999 for a rule that never comes true. It ends where the
 *   interval is 0, which this makes of it after so many steps.
 */
function boundSteps({ options }: Rule, most: number): void {
  const { interval } = options
  let looks = 0
  Object.defineProperty(options, 'interval', {
    // Each step looks twice.
    get: () => ((looks += 1) > 2 * most ? 0 : interval),
  })
}

/** When an automation runs. */
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
   * Reads a rule; 400 for what is none. Without a start of its own it starts at the `anchor`, unix
   * milliseconds.
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

  /** The first so many times from one moment on and before another, unix milliseconds. */
  between(from: number, to: number, count: number): number[] {
    return this.#find(from - 1, { count, isOver: (moment) => moment >= to })
  }

  /** The first so many times after a moment, unix milliseconds. */
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
      // Two times of a clock that is put forward may be the same moment.
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

  /** Whether one of its times is this moment. */
  has(moment: number): boolean {
    return this.between(moment, moment + 1, 1).length > 0
  }

  /** The zone of its clock. */
  get zone(): string {
    return this.#zone
  }

  /**
   * Rules by minutes and hours count the time that goes by; all others, and those of certain days,
   * follow the clock on the wall.
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
    // What lies far back is not gone through, unless its runs are counted.
    const step = unit === null ? 0 : unit * interval
    const skipped = Math.floor((from - 2 * DAY - begin) / step)
    if (step > 0 && skipped > 0 && !parts.has('COUNT')) begin += skipped * step
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

function parseOptions(parse: () => Partial<Options>): Partial<Options> {
  try {
    return parse()
  } catch {
    throw badRule('One of its values cannot be understood.')
  }
}
