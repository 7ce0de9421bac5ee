import path from 'node:path'
import type { Fields } from '../archive-chat.ts'
import { isObject } from '../archive-chat.ts'
import { isLmStudioChat, parseLmStudioChat } from '../parse-lm-studio.ts'
import { type Intake, type Program } from './program.ts'
import { listFiles, readText } from './read-folder.ts'

const END = '.conversation.json'

const toId = (folders: readonly string[]): string => `lm-studio:${folders.join('/')}`

/** Returns the folders of chats and their parent folders. */
function toFolders(paths: readonly (readonly string[])[]): Fields[] {
  const found = new Map<string, Fields>()
  for (const folders of paths) {
    for (let depth = 1; depth <= folders.length; depth += 1) {
      const own = folders.slice(0, depth)
      const parent = depth === 1 ? null : toId(own.slice(0, -1))
      found.set(toId(own), { id: toId(own), name: own.at(-1), parent_id: parent })
    }
  }
  return [...found.values()]
}

function read(root: string, intake: Intake): void {
  const files = listFiles(root).filter(({ name }) => name.endsWith(END))
  intake.addFolders(toFolders(files.map(({ folders }) => folders)))
  for (const { path: file, folders, name } of files) {
    intake.attempt(`"${name}"`, () => {
      const text = readText(file)
      if (text === null) return intake.note(`"${name}" is too large and is left out.`)
      const value: unknown = JSON.parse(text)
      if (!isObject(value) || !isLmStudioChat(value)) return
      const chat = parseLmStudioChat(value, folders.length === 0 ? null : toId(folders))
      if (chat) intake.add(chat)
    })
  }
}

export const lmStudio: Program = {
  source: 'lm-studio',
  kind: 'folder',
  places: (home) => [
    path.join(home, '.lmstudio', 'conversations'),
    path.join(home, '.cache', 'lm-studio', 'conversations'),
  ],
  read,
}
