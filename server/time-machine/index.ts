export { createTimeMachineRoutes } from './routes.ts'
export { createSnapshotRoutes, snapshotIsReadOnly, takeViewedSnapshot } from './snapshot-routes.ts'
export { TimeMachine } from './time-machine.ts'
