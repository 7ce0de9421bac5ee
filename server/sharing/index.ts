export { createSharingRoutes } from './routes.ts'
export { Sharing } from './sharing.ts'
export type { OpenSecureListener } from './listeners.ts'
