export { createSkillRoutes } from './routes.ts'
export { Skills, type UsableSkill } from './skills.ts'
