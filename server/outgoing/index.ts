export { createOutgoingRoutes } from './routes.ts'
export { ruleEarlyConnections } from './early-rules.ts'
export { Outgoing } from './watch-outgoing.ts'
