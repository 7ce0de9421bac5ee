export type { MemoryHit } from './store.ts'
export { createMemoryRoutes } from './routes.ts'
export { Memories } from './memories.ts'
