export type { GroupRecord } from './group-record.ts'
export { changeManyMembers } from './change-many-members.ts'
export { createGroupRoutes, createPreviewRoute, type FindShared } from './routes.ts'
export { Groups } from './groups.ts'
