import path from 'node:path'
import { asList, asText, isObject, type Fields } from '../archive-chat.ts'
import { parseOwnChat } from '../parse-own.ts'
import { withCopy, type CopiedStore } from './copied-store.ts'
import { StoreError, type Intake, type Program } from './program.ts'

const NEEDED = ['id', 'user_id', 'title', 'chat', 'created_at', 'updated_at']
/** Content of the program besides chats, and the advice for copying it. */
const LEFT = [
  ['prompt', 'prompts', 'copy them in Workspace → Prompts'],
  ['file', 'uploaded files', 'add them again where you need them'],
  ['knowledge', 'collections of documents', 'index them again under Workspace → Knowledge'],
  ['memory', 'memories', 'add them again in Settings → Memories'],
] as const

const parseJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : text)

const nameOf = (file: unknown): string =>
  isObject(file)
    ? asText(file['name']) || (isObject(file['file']) ? asText(file['file']['filename']) : '')
    : ''

/** Images embedded in the message are imported; files stored in the other program are not. */
const isInside = (file: unknown): boolean =>
  isObject(file) && asText(file['url']).startsWith('data:image/')

function withoutFiles(message: Fields): { message: Fields; left: number } {
  const files = asList(message['files'])
  const kept = files.filter(isInside)
  const left = files.filter((file) => !isInside(file))
  if (left.length === 0) return { message, left: 0 }
  const names = left.map((file) => `*[File: ${nameOf(file) || 'unnamed'}]*`)
  const content = [asText(message['content']), ...names].filter((text) => text !== '')
  return { message: { ...message, files: kept, content: content.join('\n\n') }, left: left.length }
}

/** Returns the body without references to files of the other program; counts the omitted files. */
function leaveFiles(body: Fields): { body: Fields; left: number } {
  const { history, files: _, ...rest } = body
  if (!isObject(history) || !isObject(history['messages'])) return { body, left: 0 }
  let left = 0
  const messages = Object.entries(history['messages']).map(([id, message]) => {
    if (!isObject(message)) return [id, message] as const
    const changed = withoutFiles(message)
    left += changed.left
    return [id, changed.message] as const
  })
  return {
    body: { ...rest, history: { ...history, messages: Object.fromEntries(messages) } },
    left,
  }
}

/** Selects the account whose chats are imported: the one with the most. */
function chooseAccount(store: CopiedStore, intake: Intake): string | null {
  const accounts = store.all(
    'select user_id, count(*) as chats from chat group by user_id order by chats desc, user_id',
  )
  if (accounts.length === 0) return null
  const chosen = asText(accounts[0]!['user_id'])
  const others = accounts.slice(1).reduce((sum, { chats }) => sum + Number(chats), 0)
  if (others > 0) {
    const known = store.columns('user').has('email')
      ? store.all('select email from "user" where id = ?', chosen)
      : []
    const email = asText(known[0]?.['email'])
    intake.note(
      `${others} chats of ${accounts.length - 1} other accounts are left out; these are those of ${email || 'the account with the most'}.`,
    )
  }
  return chosen
}

function readFolders(store: CopiedStore, userId: string, intake: Intake): void {
  const columns = store.columns('folder')
  if (!columns.has('parent_id') || !columns.has('name')) return
  intake.addFolders(store.all('select id, parent_id, name from folder where user_id = ?', userId))
}

function readChats(store: CopiedStore, userId: string, intake: Intake): void {
  const columns = store.columns('chat')
  const extra = ['pinned', 'archived', 'meta', 'folder_id'].filter((name) => columns.has(name))
  const listed = [...NEEDED, ...extra].map((name) => `"${name}"`).join(', ')
  let left = 0
  for (const row of store.rows(`select ${listed} from chat where user_id = ?`, userId)) {
    intake.attempt(`"${asText(row['title']).slice(0, 200)}"`, () => {
      const chat = parseJson(row['chat'])
      if (!isObject(chat)) throw new TypeError('A chat is no object.')
      const changed = leaveFiles(chat)
      left += changed.left
      const meta = row['meta'] === undefined ? {} : parseJson(row['meta'])
      const [pinned, archived] = [row['pinned'] === 1, row['archived'] === 1]
      intake.add(parseOwnChat({ ...row, chat: changed.body, meta, pinned, archived }))
    })
  }
  if (left > 0) intake.note(`${left} attachments are left out; their names stand in the messages.`)
}

/** Returns true if a database belongs to Open WebUI. */
export const isOpenWebUi = (store: CopiedStore): boolean =>
  store.columns('chat').has('chat') && store.columns('user').size > 0

export function readOpenWebUi(store: CopiedStore, intake: Intake): void {
  const columns = store.columns('chat')
  if (!NEEDED.every((name) => columns.has(name)))
    throw new StoreError(
      'This version of Open WebUI keeps its chats in a way that is not known here.',
    )
  const userId = chooseAccount(store, intake)
  if (userId === null) return
  readFolders(store, userId, intake)
  readChats(store, userId, intake)
  for (const [table, name, advice] of LEFT) {
    const count = store.columns(table).has('user_id')
      ? store.count(table, 'user_id = ?', userId)
      : 0
    if (count > 0) intake.note(`${count} ${name} are not carried over: ${advice}.`)
  }
}

export const openWebUi: Program = {
  source: 'open-webui',
  kind: 'database',
  places: (home, applicationData) => [
    path.join(home, '.open-webui', 'webui.db'),
    path.join(home, 'open-webui', 'backend', 'data', 'webui.db'),
    path.join(home, 'open-webui', 'data', 'webui.db'),
    ...applicationData.map((folder) => path.join(folder, 'open-webui', 'data', 'webui.db')),
    '/app/backend/data/webui.db',
    '/var/lib/docker/volumes/open-webui/_data/webui.db',
  ],
  read: (place, intake, room) =>
    withCopy(place, room, (store) => {
      if (!isOpenWebUi(store)) throw new StoreError('This is not a database of Open WebUI.')
      readOpenWebUi(store, intake)
    }),
}
