import { setTimeout as sleep } from 'node:timers/promises'
import { ADMINISTRATORS, type TrustDomain } from '../trust-domain.ts'
import { workerFailure, type PluginFailure } from './faults.ts'
import type { Worker } from './worker.ts'

interface Occupant {
  readonly domain: TrustDomain
  readonly worker: Worker
}

export interface RoomOptions<Slot extends Occupant> {
  readonly running: () => readonly Slot[]
  /** Ends a worker; resolves when its process is gone. */
  readonly retire: (slot: Slot) => Promise<void>
  readonly mostWorkers: () => number
}

/** Somebody whose tools keep all of their own busy leaves three quarters to the others. */
const SHARE = 4
const LONGEST_WAIT_MILLISECONDS = 2_500
const PAUSE_MILLISECONDS = 50
/** A worker that was just started or used is about to be called. */
const FRESH_MILLISECONDS = 500

/**
 * The worker that is missed the least: none of its calls run, and it was not used for the longest
 * time.
 */
function findIdle<Slot extends Occupant>(slots: readonly Slot[]): Slot | undefined {
  const now = performance.now()
  const idle = slots.filter(({ worker }) => {
    const { status, lastUsed } = worker.state
    return (
      status !== 'stopping' && worker.running().length === 0 && now - lastUsed > FRESH_MILLISECONDS
    )
  })
  // One with tasks of a plugin goes after those without.
  return idle.toSorted(
    (one, other) =>
      one.worker.state.tasks - other.worker.state.tasks ||
      one.worker.state.lastUsed - other.worker.state.lastUsed,
  )[0]
}

/**
 * Keeps the number of workers bounded: an idle one ends for a new one. When none is idle members
 * are refused; administrators are not, who would otherwise be at the mercy of members, and have as
 * many as what they installed needs.
 */
export function createMakeRoom<Slot extends Occupant>({
  running,
  retire,
  mostWorkers,
}: RoomOptions<Slot>) {
  /**
   * What is in the way of one more worker, and which of those that run could go for it; null when
   * nothing is.
   */
  function findObstacle(
    domain: TrustDomain,
  ): { readonly slots: readonly Slot[]; readonly refusal: PluginFailure } | null {
    const most = mostWorkers()
    const share = Math.max(1, Math.floor(most / SHARE))
    const slots = running()
    const own = slots.filter((slot) => slot.domain === domain)
    const advice = 'Try again in a moment, or ask an administrator to raise PLUGIN_WORKER_LIMIT.'
    if (domain !== ADMINISTRATORS && own.length >= share) {
      const sentence = `The tools of one person may run in ${share} processes at once, a quarter of PLUGIN_WORKER_LIMIT, and all of them are busy.`
      return { slots: own, refusal: workerFailure('busy', `${sentence} ${advice}`) }
    }
    if (slots.length < most) return null
    return {
      slots,
      refusal: workerFailure(
        'busy',
        `Plugins may run in ${most} processes at once, and all of them are busy. ${advice}`,
      ),
    }
  }

  /** Resolves when one more worker may be started, or when that is not needed any more. */
  return async (domain: TrustDomain, isDone: () => boolean): Promise<void> => {
    const deadline = performance.now() + LONGEST_WAIT_MILLISECONDS
    for (;;) {
      const obstacle = isDone() ? null : findObstacle(domain)
      if (obstacle === null) return
      const idle = findIdle(obstacle.slots)
      if (idle) await retire(idle)
      else if (domain === ADMINISTRATORS) return
      else if (performance.now() > deadline) throw obstacle.refusal
      else await sleep(PAUSE_MILLISECONDS)
    }
  }
}
