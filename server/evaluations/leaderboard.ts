import type { Feedback, LeaderboardEntry } from '#contract/evaluations.ts'

const START = 1000
/** Maximum change of a rating by one comparison. */
const STEP = 32
const SHOWN_TAGS = 5
const DAY_SECONDS = 86_400

/** 1 for a good answer, -1 for a bad one, null for anything else. */
export function ratingOf({ rating }: Feedback['data']): 1 | -1 | null {
  const value = Number(rating ?? Number.NaN)
  return value === 1 || value === -1 ? value : null
}

interface Standing {
  rating: number
  won: number
  lost: number
  readonly tags: Map<string, number>
}

const expectedScore = (own: number, other: number): number => 1 / (1 + 10 ** ((other - own) / 400))

/** Applies one comparison in the manner of Elo: one side gains what the other loses. */
function compare(own: Standing, other: Standing, isWon: boolean): void {
  const change = STEP * ((isWon ? 1 : 0) - expectedScore(own.rating, other.rating))
  own.rating += change
  other.rating -= change
}

const isTagged = ({ data }: Feedback, wanted: string): boolean =>
  (data.tags ?? []).some((tag) => tag.toLowerCase().includes(wanted))

/** Ranks models by rating, from feedback in chronological order; yields after each entry. */
export async function* rankModels(
  feedbacks: Iterable<Feedback> | AsyncIterable<Feedback>,
  query = '',
): AsyncGenerator<void, LeaderboardEntry[]> {
  const standings = new Map<string, Standing>()
  const standingOf = (id: string): Standing => {
    const standing = standings.get(id) ?? { rating: START, won: 0, lost: 0, tags: new Map() }
    standings.set(id, standing)
    return standing
  }
  const wanted = query.trim().toLowerCase()
  for await (const feedback of feedbacks) {
    yield
    const { model_id, sibling_model_ids, tags } = feedback.data
    const verdict = ratingOf(feedback.data)
    if (!model_id || verdict === null || (wanted !== '' && !isTagged(feedback, wanted))) continue
    const own = standingOf(model_id)
    own[verdict === 1 ? 'won' : 'lost'] += 1
    for (const tag of new Set(tags)) own.tags.set(tag, (own.tags.get(tag) ?? 0) + 1)
    for (const id of new Set(sibling_model_ids)) {
      if (id === model_id) continue
      const other = standingOf(id)
      other[verdict === 1 ? 'lost' : 'won'] += 1
      compare(own, other, verdict === 1)
    }
  }
  return [...standings]
    .map(toEntry)
    .toSorted(
      (left, right) => right.rating - left.rating || left.model_id.localeCompare(right.model_id),
    )
}

function toEntry([model_id, { rating, won, lost, tags }]: [string, Standing]): LeaderboardEntry {
  const top = [...tags]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((left, right) => right.count - left.count)
  return {
    model_id,
    rating: Math.round(rating),
    won,
    lost,
    count: won + lost,
    top_tags: top.slice(0, SHOWN_TAGS),
  }
}

/** Value and time of a rating; the value is null if it was neither good nor bad. */
export interface RatingTime {
  readonly rating: number | null
  readonly created_at: number
}

interface DayCount {
  readonly date: string
  won: number
  lost: number
}

const toDate = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Returns the days up to today with zero ratings each. */
const emptyDays = (days: number, now: number): DayCount[] =>
  Array.from({ length: days }, (_, index) => ({
    date: toDate(now - (days - 1 - index) * DAY_SECONDS),
    won: 0,
    lost: 0,
  }))

/**
 * Counts ratings per day for the given number of days up to today; `days` 0 takes all ratings and
 * omits days without any.
 */
export function countByDay(
  feedbacks: readonly RatingTime[],
  { days, now }: { days: number; now: number },
) {
  const byDate = new Map<string, DayCount>(emptyDays(days, now).map((day) => [day.date, day]))
  for (const { rating, created_at } of feedbacks) {
    const date = toDate(created_at)
    if (rating === null || (days > 0 && !byDate.has(date))) continue
    const day = byDate.get(date) ?? { date, won: 0, lost: 0 }
    day[rating === 1 ? 'won' : 'lost'] += 1
    byDate.set(date, day)
  }
  return [...byDate.values()]
}
