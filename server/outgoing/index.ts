export { Outgoing, type OutgoingDependencies } from './watch-outgoing.ts'
