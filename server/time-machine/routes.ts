import { endpoints } from '#contract/endpoints.ts'
import type { SnapshotLine } from '#contract/time-machine.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import { MANUAL, type RestoreOutcome, type Snapshot } from '../storage/snapshots/index.ts'
import type { TimeMachine } from './time-machine.ts'

/** Sizes are shown to administrators only. */
const toLine =
  ({ role }: Caller) =>
  ({ id, label, takenAt, bytes, addedBytes, fault }: Snapshot): SnapshotLine => ({
    id,
    label,
    created_at: Math.floor(takenAt.getTime() / 1000),
    bytes: role === 'admin' ? bytes : null,
    added_bytes: role === 'admin' ? addedBytes : null,
    fault,
  })

const toOutcome = ({ snapshot, at, missingUploads, fault }: RestoreOutcome) => ({
  snapshot_id: snapshot,
  at: Math.floor(at / 1000),
  missing_files: missingUploads,
  problem: fault,
})

export const createTimeMachineRoutes = (timeMachine: TimeMachine): Route[] => [
  route(endpoints.timeMachine.list, async ({ caller }) => {
    const { on, interval, budget, keepsFiles } = timeMachine.describe()
    const isAdmin = caller.role === 'admin'
    const { progress, last } = timeMachine.restoring
    return {
      restore: isAdmin ? progress : null,
      last_restore: isAdmin && last ? toOutcome(last) : null,
      on,
      interval_minutes: interval,
      keeps_files: keepsFiles,
      budget: isAdmin ? budget : null,
      stored: isAdmin ? await timeMachine.storedBytes() : null,
      snapshots: timeMachine.list().map(toLine(caller)),
    }
  }),
  route(endpoints.timeMachine.take, async ({ caller }) =>
    toLine(caller)(await timeMachine.take(MANUAL)),
  ),
  route(endpoints.timeMachine.remove, ({ params }) => timeMachine.remove(params.snapshot_id)),
  route(endpoints.timeMachine.contents, ({ caller, params }) =>
    timeMachine.contents(caller, params.snapshot_id),
  ),
  route(endpoints.timeMachine.chat, ({ caller, params }) =>
    timeMachine.chat(caller, params.snapshot_id, params.chat_id),
  ),
  route(endpoints.timeMachine.bringEverythingBack, ({ caller, params }) =>
    timeMachine.restoreAll.begin(caller, params.snapshot_id),
  ),
  route(endpoints.timeMachine.bringBack, ({ caller, params, body }) =>
    timeMachine.bringBack(caller, params.snapshot_id, body),
  ),
]
