export { Checker } from './prompt-checks.ts'
export { createCheckRoutes } from './routes.ts'
