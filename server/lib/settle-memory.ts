/**
 * Interval of activity checks, and the number of consecutive quiet checks in which memory is
 * released.
 */
export interface SettlePace {
  readonly milliseconds: number
  readonly looks: number
}

const USUAL: SettlePace = { milliseconds: 5000, looks: 9 }
/**
 * Maximum number of idle parsers; Node's default of a thousand would keep the memory of a whole
 * burst.
 */
const KEPT_PARSERS = 32

type Collect = (options: { type: 'minor' }) => void

/**
 * Returns the function for minor collections, which take half a millisecond each. Obtained at run
 * time, because Electron passes no flags to its utility processes.
 */
function findCollect(): Collect | undefined {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--expose-gc')
  const collect = process.getBuiltinModule('node:vm').runInNewContext('globalThis.gc') as
    | Collect
    | undefined
  setFlagsFromString('--no-expose-gc')
  return collect
}

/**
 * Makes V8 prefer a small heap to a fast one. V8 reads the flag at run time, each time it decides
 * whether to release memory.
 */
const preferSmallHeap = (isPreferred: boolean): void =>
  process
    .getBuiltinModule('node:v8')
    .setFlagsFromString(isPreferred ? '--optimize-for-size' : '--no-optimize-for-size')

/**
 * Releases memory after a burst. `activity` grows with all activity. Returns a function that stops
 * this.
 *
 * @NOTE V8 frees and returns memory itself, in small steps, once it detects that almost nothing is
 *   allocated; but it checks only when it collects, which it does not do while nothing is allocated,
 *   so minor collections are triggered from time to time. It compares the allocation rate with the
 *   speed of its last collections, and collections of almost nothing look so slow that it may never
 *   detect the quiet phase: therefore it is told to prefer a small heap during that phase.
 */
export function settleMemory(activity: () => number, pace: SettlePace = USUAL): () => void {
  let seen = activity()
  let left = 0
  let collect: Collect | undefined
  const timer = setInterval(() => {
    const now = activity()
    if (now !== seen) {
      seen = now
      if (left < pace.looks) preferSmallHeap(false)
      left = pace.looks
    } else if (left > 0) {
      left -= 1
      preferSmallHeap(left > 0)
      collect ??= findCollect()
      collect?.({ type: 'minor' })
    }
  }, pace.milliseconds).unref()
  return () => clearInterval(timer)
}

/** Limits the number of idle parsers Node keeps for closed connections. */
export function keepFewParsers(): void {
  const common = process.getBuiltinModule('_http_common') as
    | { parsers?: { max: number } }
    | undefined
  if (common?.parsers) common.parsers.max = KEPT_PARSERS
}
