export { createPromptLibrary } from './imported-prompts.ts'
export { createPromptRoutes } from './routes.ts'
export { Prompts } from './prompts.ts'
