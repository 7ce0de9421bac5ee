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
  /** Ends a worker; resolves when its process has ended. */
  readonly retire: (slot: Slot) => Promise<void>
  readonly mostWorkers: () => number
}

/** A user whose tools keep all of their workers busy leaves three quarters to others. */
const SHARE = 4
const LONGEST_WAIT_MILLISECONDS = 2_500
const PAUSE_MILLISECONDS = 50
/** A worker that was just started or used is about to be called. */
const FRESH_MILLISECONDS = 500

/** Returns the idle worker that was not used for the longest time. */
function findIdle<Slot extends Occupant>(slots: readonly Slot[]): Slot | undefined {
  const now = performance.now()
  const idle = slots.filter(({ worker }) => {
    const { status, lastUsed } = worker.state
    return (
      status !== 'stopping' && worker.running().length === 0 && now - lastUsed > FRESH_MILLISECONDS
    )
  })
  // Workers with answers that are not over, or with tasks of a plugin, come after those without.
  return idle.toSorted(
    (one, other) =>
      Number(one.worker.isInUse) - Number(other.worker.isInUse) ||
      one.worker.state.tasks - other.worker.state.tasks ||
      one.worker.state.lastUsed - other.worker.state.lastUsed,
  )[0]
}

/**
 * Limits the number of workers: an idle one ends for a new one. If none is idle members are
 * refused; administrators are not, because otherwise members could block them, and get as many as
 * their plugins need.
 */
export function createMakeRoom<Slot extends Occupant>({
  running,
  retire,
  mostWorkers,
}: RoomOptions<Slot>) {
  /**
   * Returns the reason against one more worker, and the running ones that could end for it; null if
   * there is none.
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

  /** Resolves when one more worker may be started, or when that is no longer needed. */
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
