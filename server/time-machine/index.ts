export { createTimeMachineRoutes } from './routes.ts'
export { TimeMachine } from './time-machine.ts'
