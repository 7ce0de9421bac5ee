export { createMemoryRoutes } from './routes.ts'
export { Memories } from './memories.ts'
