import { lstatSync } from 'node:fs'
import path from 'node:path'
import { asList, type ArchiveFile } from '../archive-chat.ts'
import { fileIdOf, replaceFiles } from '../attached-files.ts'
import { parseOwnChat } from '../parse-own.ts'
import { withCopy, type CopiedStore } from './copied-store.ts'
import { toLeftNote } from './inner-files.ts'
import { StoreError, type Intake, type Program } from './program.ts'
import { asText } from '../../../lib/text/as-text.ts'
import { isRecord } from '../../../lib/is-record.ts'

const NEEDED = ['id', 'user_id', 'title', 'chat', 'created_at', 'updated_at']
/** Content of the program besides chats, and the advice for copying it. */
const LEFT = [
  ['knowledge', 'collections of documents', 'index them again under Workspace → Knowledge'],
  ['memory', 'memories', 'add them again in Settings → Memories'],
] as const

const parseJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : text)

/** Reads which uploads of an account are still there, by their ids. */
function findUploads(
  store: CopiedStore,
  userId: string,
  folder: string | null,
): ReadonlyMap<string, ArchiveFile> {
  const columns = store.columns('file')
  const needed = ['id', 'user_id', 'filename', 'path']
  const isThere = folder !== null && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isThere || !needed.every((name) => columns.has(name))) return new Map()
  const found = store
    .all('select id, filename, path from file where user_id = ?', userId)
    .flatMap((row) => {
      // The path is that of the program, which may run in a container.
      const name = path.win32.basename(asText(row['path']))
      const file = path.join(folder, name)
      const state = name === '' ? undefined : lstatSync(file, { throwIfNoEntry: false })
      const id = asText(row['id'])
      return state?.isFile() === true
        ? [{ id, name: asText(row['filename']) || name, path: file, bytes: state.size }]
        : []
    })
  return new Map(found.map((file) => [file.id, file]))
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

function readChats(
  store: CopiedStore,
  { userId, uploads }: { userId: string; uploads: ReadonlyMap<string, ArchiveFile> },
  intake: Intake,
): void {
  const columns = store.columns('chat')
  const extra = ['pinned', 'archived', 'meta', 'folder_id'].filter((name) => columns.has(name))
  const listed = [...NEEDED, ...extra].map((name) => `"${name}"`).join(', ')
  let left = 0
  const carried = new Set<string>()
  const carry = (file: unknown): unknown => {
    const upload = uploads.get(fileIdOf(file))
    if (!upload) {
      left += 1
      return null
    }
    intake.addFile(upload)
    carried.add(upload.id)
    return { type: 'file', id: upload.id, name: upload.name }
  }
  for (const row of store.rows(`select ${listed} from chat where user_id = ?`, userId)) {
    intake.attempt(`"${asText(row['title']).slice(0, 200)}"`, () => {
      const chat = parseJson(row['chat'])
      if (!isRecord(chat)) throw new TypeError('A chat is no object.')
      // Files of the whole chat repeat those of its messages.
      const { files: _, ...body } = chat
      const meta = row['meta'] === undefined ? {} : parseJson(row['meta'])
      const [pinned, archived] = [row['pinned'] === 1, row['archived'] === 1]
      intake.add(parseOwnChat({ ...row, chat: replaceFiles(body, carry), meta, pinned, archived }))
    })
  }
  if (left > 0) intake.note(toLeftNote(left))
  const files = store.columns('file').has('user_id')
    ? store.count('file', 'user_id = ?', userId)
    : 0
  if (files > carried.size)
    intake.note(
      `${files - carried.size} uploaded files are not carried over: add them again where you need them.`,
    )
}

/** Reads the prompts, whose columns have other names in older versions. */
function readPrompts(store: CopiedStore, userId: string, intake: Intake): void {
  const columns = store.columns('prompt')
  if (!['command', 'user_id', 'content'].every((name) => columns.has(name))) return
  for (const row of store.rows('select * from prompt where user_id = ?', userId)) {
    const command = asText(row['command'])
    const name = asText(row['name']) || asText(row['title'])
    intake.attempt(`The prompt "${(name || command).slice(0, 200)}"`, () =>
      intake.prompts.add({
        key: asText(row['id']) || command,
        command,
        name,
        content: asText(row['content']),
        tags: asList(parseJson(row['tags'])).map(asText),
      }),
    )
  }
}

/** Returns true if a database belongs to Open WebUI. */
export const isOpenWebUi = (store: CopiedStore): boolean =>
  store.columns('chat').has('chat') && store.columns('user').size > 0

/** Reads a database; `uploads` is the folder of the uploaded files if it is there. */
export function readOpenWebUi(
  store: CopiedStore,
  intake: Intake,
  uploads: string | null = null,
): void {
  const columns = store.columns('chat')
  if (!NEEDED.every((name) => columns.has(name)))
    throw new StoreError(
      'This version of Open WebUI keeps its chats in a way that is not known here.',
    )
  const userId = chooseAccount(store, intake)
  if (userId === null) return
  readFolders(store, userId, intake)
  readChats(store, { userId, uploads: findUploads(store, userId, uploads) }, intake)
  readPrompts(store, userId, intake)
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
      readOpenWebUi(store, intake, path.join(path.dirname(place), 'uploads'))
    }),
}
