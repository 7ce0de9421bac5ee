import type { Access } from '../access/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { RecordBounds } from '../lib/json/record-bounds.ts'
import type { Live } from '../live/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Tasks } from '../tasks/index.ts'
import { Announce } from './announce.ts'
import type { ChatContext } from './chat-context.ts'
import { FolderStore } from './folders/store.ts'
import type { OtherPrograms } from './import/open-program.ts'
import { ImportFileStore } from './import/file-store.ts'
import type { PromptLibrary } from './import/import-targets.ts'
import { ImportPromptStore } from './import/prompt-store.ts'
import { ImportStore } from './import/store.ts'
import { ListRows } from './lists/list-rows-store.ts'
import { ListStore } from './lists/store.ts'
import { SearchBacklog } from './search/backlog.ts'
import { ChatSearch } from './search/index.ts'
import { SearchStore } from './search/store.ts'
import { ShareStore } from './sharing/store.ts'
import { ChatStore } from './store.ts'
import { TagStore } from './tags/store.ts'
import { TextEvents } from './answers/text-events.ts'
import { TrashStore } from './trash/store.ts'

/** Windows that are notified of changes, and the limit of events of clients and plugins. */
export type ChatEvents = Pick<Events, 'emit'> & {
  readonly limits: Pick<Events['limits'], 'requireFit'>
}

/** Dependencies of the chats. */
export interface ChatsDependencies {
  readonly storage: Storage
  readonly events: ChatEvents
  readonly tasks: Pick<Tasks, 'ofChat' | 'stop'>
  readonly access: Pick<Access, 'allows' | 'describe' | 'replace' | 'remove'>
  readonly groups: Pick<Groups, 'allows'>
  /** Maximum number of messages that one call may store, because they are written at once. */
  readonly mostMessages: () => number
  /**
   * Maximum number of messages of a stored chat that one call may change or add, because it does so
   * in one transaction.
   */
  readonly mostChanges: () => number
  /**
   * Size limits of a message, and of a chat without its messages, because each save writes all of
   * it.
   */
  readonly recordBounds: () => RecordBounds
  /**
   * Maximum number of characters to which events may lengthen one message, because every further
   * event reads and writes all of them.
   */
  readonly mostEventCharacters: () => number
  /** Folder where archives are stored while they are imported. */
  readonly dataDir: string
  /** True if no other gateway uses the database; the default. */
  readonly isAlone?: boolean
  /** Connection to the other gateways on the database; absent if there are none. */
  readonly live?: Live | null
  /** Search for other programs; disabled when absent. */
  readonly programs?: OtherPrograms
  /** Stores prompts of other programs; they are left out when absent. */
  readonly promptLibrary?: PromptLibrary
}

/** Creates the state shared by all operations on chats. */
export function createContext({
  storage,
  events,
  tasks,
  access,
  groups,
  mostMessages,
  mostChanges,
  recordBounds,
  mostEventCharacters,
  promptLibrary,
}: ChatsDependencies): ChatContext {
  const searchStore = new SearchStore(storage)
  const search = new ChatSearch(searchStore, () => backlog.wake())
  const backlog = new SearchBacklog({ storage, store: searchStore, search })
  return {
    storage,
    tasks,
    access,
    checkAttached: async () => undefined,
    mostMessages,
    mostChanges,
    recordBounds,
    mostEventCharacters,
    search,
    store: new ChatStore(storage),
    listRows: new ListRows(storage),
    backlog,
    tags: new TagStore(storage),
    folders: new FolderStore(storage),
    lists: new ListStore(storage),
    trash: new TrashStore(storage),
    shares: new ShareStore(storage),
    imports: new ImportStore(storage),
    importedPrompts: new ImportPromptStore(storage),
    promptLibrary: promptLibrary ?? null,
    importedFiles: new ImportFileStore(storage),
    fileShelf: null,
    textEvents: new TextEvents(),
    announce: new Announce(events),
    permits: (caller, permission) => groups.allows(caller, permission),
    liveAnswers: () => null,
  }
}
