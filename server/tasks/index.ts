export { createTaskRoutes } from './routes.ts'
export { type Task, type TaskStop, Tasks, stopTasksOfDeleted } from './tasks.ts'
