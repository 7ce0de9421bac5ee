export { createPromptRoutes } from './routes.ts'
export { Prompts } from './prompts.ts'
