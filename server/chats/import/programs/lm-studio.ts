import { lstatSync } from 'node:fs'
import path from 'node:path'
import { asList, type Fields } from '../archive-chat.ts'
import type { AttachedFile } from '../build-body.ts'
import { identifierOf, isLmStudioChat, parseLmStudioChat } from '../parse-lm-studio.ts'
import { toLeftNote } from './inner-files.ts'
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

/** Returns the name that a file had before it was stored; '' if it is not known. */
function readOriginalName(file: string): string {
  try {
    const about: unknown = JSON.parse(readText(`${file}.metadata.json`) ?? '{}')
    return isRecord(about) ? path.win32.basename(asText(about['originalName'])) : ''
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}

/** Finds the files attached to messages in the folder where LM Studio stores them. */
class UserFiles {
  readonly #folder: string
  readonly #intake: Intake
  readonly #isThere: boolean
  #missing = 0

  constructor(folder: string, intake: Intake) {
    this.#folder = folder
    this.#intake = intake
    this.#isThere = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  }

  /** Adds the file of an attachment to the import; null if it is missing. */
  attach(part: Fields): AttachedFile | null {
    // No identifier can name a place outside of the folder.
    const stored = path.win32.basename(identifierOf(part))
    const file = path.join(this.#folder, stored)
    const state = this.#isThere ? lstatSync(file, { throwIfNoEntry: false }) : undefined
    if (!state?.isFile()) {
      this.#missing += 1
      return null
    }
    const name = readOriginalName(file) || stored
    const id = `user-file:${stored}`
    this.#intake.addFile({ id, name, path: file, bytes: state.size })
    return { type: 'file', id, name }
  }

  /** Reports how many files are missing. */
  report(): void {
    if (this.#missing > 0) this.#intake.note(toLeftNote(this.#missing))
  }
}

function read(root: string, intake: Intake): void {
  const userFiles = new UserFiles(path.join(path.dirname(root), 'user-files'), intake)
  const files = listFiles(root).filter(({ name }) => name.endsWith(END))
  intake.addFolders(toFolders(files.map(({ folders }) => folders)))
  for (const { path: file, folders, name } of files) {
    intake.attempt(`"${name}"`, () => {
      const text = readText(file)
      if (text === null) return intake.note(`"${name}" is too large and is left out.`)
      const value: unknown = JSON.parse(text)
      if (!isRecord(value) || !isLmStudioChat(value)) return
      const folder = folders.length === 0 ? null : toId(folders)
      const chat = parseLmStudioChat(value, folder, (part) => userFiles.attach(part))
      if (chat) intake.add(chat)
    })
  }
  userFiles.report()
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
