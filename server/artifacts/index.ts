export { Artifacts } from './artifacts.ts'
export { createArtifactRoutes } from './routes.ts'
