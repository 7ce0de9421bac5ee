import { parentPort, workerData } from 'node:worker_threads'
import { shareTurns } from './compress.ts'
import { removeManifest } from './manifest.ts'
import { joinSnapshot } from './open-snapshot.ts'
import { prepareRestore } from './restore.ts'
import { DamagedSnapshotError } from './snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { measureStored, tidySnapshots } from './thin.ts'
import type { SnapshotAnswer, SnapshotTask, SnapshotThread } from './worker-messages.ts'

async function work(task: SnapshotTask): Promise<SnapshotAnswer> {
  if (task.kind === 'measure') return { bytes: measureStored(task.sources.folder) }
  try {
    if (task.kind === 'take') return { id: await takeSnapshot(task.sources, task.wish) }
    if (task.kind === 'remove') {
      removeManifest(task.sources.folder, task.id)
      tidySnapshots(task.sources.folder, task.budget, new Date())
      return { id: task.id }
    }
    if (task.kind === 'restore') return { missingUploads: prepareRestore(task.sources, task.id) }
    joinSnapshot(task.sources.folder, task.id, task.target)
    return { id: task.id }
  } catch (error) {
    if (error instanceof DamagedSnapshotError) return { damage: error.message }
    throw error
  }
}

const { task, turns } = workerData as SnapshotThread
shareTurns(turns)
parentPort?.postMessage(await work(task))
