/** How often activity is looked at, and how many quiet looks in a row are used. */
export interface SettlePace {
  readonly milliseconds: number
  readonly looks: number
}

const USUAL: SettlePace = { milliseconds: 5000, looks: 9 }
/**
 * Parsers kept for the next connections; a thousand of them, as Node has it, pin the memory of a
 * whole burst.
 */
const KEPT_PARSERS = 32

type Collect = (options: { type: 'minor' }) => void

/**
 * Half a millisecond each. Had at run time, because Electron hands no flags to its utility
 * processes.
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
 * Has V8 prefer a small heap to a fast one. The flag is read at run time, each time V8 wonders
 * whether to give memory back.
 */
const preferSmallHeap = (isPreferred: boolean): void =>
  process
    .getBuiltinModule('node:v8')
    .setFlagsFromString(isPreferred ? '--optimize-for-size' : '--no-optimize-for-size')

/**
 * Has memory given back after a burst. `activity` grows with all that happens. Answers how to stop.
 *
 * @NOTE V8 frees and returns memory by itself, in small steps, once it sees that nearly nothing is
 *   allocated; but it looks
 * only when it collects, which it does not do while nothing is allocated, so young objects are
 * collected now and then. It sets what is allocated against the speed of its last collections, and
 * those of nearly nothing look so slow that it may never find it quiet: hence it is told to prefer
 * a small heap for as long as it is.
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

/** Lets Node keep only some parsers of connections that are gone. */
export function keepFewParsers(): void {
  const common = process.getBuiltinModule('_http_common') as
    | { parsers?: { max: number } }
    | undefined
  if (common?.parsers) common.parsers.max = KEPT_PARSERS
}
