export { createTaskRoutes } from './routes.ts'
export type { Task, TaskStop } from './task.ts'
export { Tasks, stopTasksOfBarred } from './tasks.ts'
