export { createNoteRoutes } from './routes.ts'
export { Notes } from './notes.ts'
