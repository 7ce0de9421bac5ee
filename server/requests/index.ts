export { RequestLog } from './request-log.ts'
export { createRequestRoutes } from './routes.ts'
