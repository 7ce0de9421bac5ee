export type { GroupRecord } from './group-record.ts'
export { changeManyMembers } from './change-many-members.ts'
export { createGroupRoutes } from './routes.ts'
export { Groups } from './groups.ts'
