import path from 'node:path'
import { asList, type Fields } from '../archive-chat.ts'
import { isLmStudioChat, parseLmStudioChat } from '../parse-lm-studio.ts'
import { type Intake, type Program } from './program.ts'
import { listFiles, readText } from './read-folder.ts'
import { asText } from '../../../lib/text/as-text.ts'
import { isRecord } from '../../../lib/is-record.ts'

const END = '.conversation.json'
const PRESET_END = '.preset.json'
const SYSTEM_PROMPT = 'llm.prediction.systemPrompt'

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

/** Returns the system prompt among the settings of a preset. */
function findSystemPrompt({ operation }: Fields): string {
  const fields = isRecord(operation) ? asList(operation['fields']).filter(isRecord) : []
  return asText(fields.find(({ key }) => key === SYSTEM_PROMPT)?.['value'])
}

/** Reads the system prompts of presets as prompts. */
function readPresets(folder: string, intake: Intake): void {
  const found = listFiles(folder).filter(({ name }) => name.endsWith(PRESET_END))
  for (const { path: file, folders, name: fileName } of found) {
    intake.attempt(`"${fileName}"`, () => {
      const preset: unknown = JSON.parse(readText(file) ?? '{}')
      if (!isRecord(preset)) return
      const name = asText(preset['name']) || fileName.slice(0, -PRESET_END.length)
      intake.prompts.add({
        key: asText(preset['identifier']) || [...folders, fileName].join('/'),
        command: name,
        name,
        content: findSystemPrompt(preset),
        tags: [],
      })
    })
  }
}

function read(root: string, intake: Intake): void {
  const files = listFiles(root).filter(({ name }) => name.endsWith(END))
  intake.addFolders(toFolders(files.map(({ folders }) => folders)))
  for (const { path: file, folders, name } of files) {
    intake.attempt(`"${name}"`, () => {
      const text = readText(file)
      if (text === null) return intake.note(`"${name}" is too large and is left out.`)
      const value: unknown = JSON.parse(text)
      if (!isRecord(value) || !isLmStudioChat(value)) return
      const chat = parseLmStudioChat(value, folders.length === 0 ? null : toId(folders))
      if (chat) intake.add(chat)
    })
  }
  readPresets(path.join(path.dirname(root), 'config-presets'), intake)
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
