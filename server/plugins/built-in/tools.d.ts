import type { Chats } from '../../chats/index.ts'
import type { Files } from '../../files/index.ts'
import type { Groups } from '../../groups/index.ts'
import type { Knowledge } from '../../knowledge/index.ts'
import type { Memories } from '../../memories/index.ts'
import type { Retrieval, WebReader } from '../../retrieval/index.ts'
import type { Settings } from '../../settings/index.ts'
import { type BuiltInTool } from './tool.ts'
/** What built-in tools read and write. */
export interface BuiltInDependencies {
  readonly chats: Pick<Chats, 'search' | 'thread' | 'get'>
  readonly memories: Pick<Memories, 'add' | 'find' | 'list' | 'remove'>
  readonly files: Pick<Files, 'get' | 'content'>
  readonly knowledge: Pick<Knowledge, 'get' | 'readableIds' | 'collections'>
  readonly retrieval: Pick<Retrieval, 'search'>
  readonly webReader: WebReader
  readonly groups: Pick<Groups, 'allows'>
  readonly settings: Pick<Settings, 'boolean'>
}
/** The tools the gateway brings along (reference §5.5). */
export declare const createBuiltInTools: (dependencies: BuiltInDependencies) => readonly BuiltInTool[]
