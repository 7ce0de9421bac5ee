export { createOutgoingRoutes } from './routes.ts'
export { Outgoing } from './watch-outgoing.ts'
