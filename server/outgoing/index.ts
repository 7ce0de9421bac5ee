export { createOutgoingRoutes } from './routes.ts'
export { ruleEarlyConnections } from './early-rules.ts'
export { findOwnServers } from './own-servers.ts'
export {
  ProgramConnections,
  type ProgramWatch,
  type WatchedProgram,
} from './program-connections.ts'
export { Outgoing } from './watch-outgoing.ts'
