import path from 'node:path'
import { asList, toSeconds, type ArchiveChat, type Fields } from '../archive-chat.ts'
import { buildBody, type AttachedFile, type ParsedMessage } from '../build-body.ts'
import { InnerFiles } from './inner-files.ts'
import type { Intake, Program } from './program.ts'
import { listFiles, readText } from './read-folder.ts'
import { asText } from '../../../lib/text/as-text.ts'
import { isRecord } from '../../../lib/is-record.ts'

const ROLES = new Set(['user', 'assistant', 'system'])

/** Reads the texts of a message and takes its pictures, whose bytes stand in it. */
function readContent(
  message: Fields,
  innerFiles: InnerFiles,
): Required<Pick<ParsedMessage, 'content' | 'files'>> {
  const texts: string[] = []
  const files: AttachedFile[] = []
  for (const part of asList(message['content']).filter(isRecord)) {
    if (part['type'] === 'text' && isRecord(part['text'])) texts.push(asText(part['text']['value']))
    if (part['type'] !== 'image_url') continue
    const url = isRecord(part['image_url']) ? asText(part['image_url']['url']) : ''
    const taken = innerFiles.take(url, '')
    if (taken) files.push(taken)
    else texts.push('*[Picture]*')
  }
  return { content: texts.filter((text) => text !== '').join('\n\n'), files }
}

/**
 * Parses the lines of a thread that are messages; counts malformed ones, such as the last of a
 * crash.
 */
function readLines(text: string): { messages: Fields[]; broken: number } {
  const messages: Fields[] = []
  let broken = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    try {
      const value: unknown = JSON.parse(line)
      if (isRecord(value) && ROLES.has(asText(value['role']))) messages.push(value)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      broken += 1
    }
  }
  return { messages, broken }
}

function readModel(thread: Fields): string | null {
  const [assistant] = asList(thread['assistants']).filter(isRecord)
  const model = assistant?.['model']
  return isRecord(model) ? asText(model['id']) || null : null
}

function toMessages(
  listed: readonly Fields[],
  model: string | null,
  innerFiles: InnerFiles,
): ParsedMessage[] {
  const ids = new Set<string>()
  const byTime = listed.toSorted(
    (left, right) => (toSeconds(left['created_at']) ?? 0) - (toSeconds(right['created_at']) ?? 0),
  )
  const messages: ParsedMessage[] = []
  for (const message of byTime) {
    const id = asText(message['id']) || `message-${messages.length}`
    if (ids.has(id)) continue
    ids.add(id)
    const role = message['role'] as ParsedMessage['role']
    messages.push({
      id,
      parentId: messages.at(-1)?.id ?? null,
      role,
      ...readContent(message, innerFiles),
      reasoning: '',
      model: role === 'assistant' ? model : null,
      time: toSeconds(message['created_at']),
    })
  }
  return messages
}

function toChat(thread: Fields, messages: readonly ParsedMessage[]): ArchiveChat {
  const created = toSeconds(thread['created']) ?? messages[0]?.time ?? null
  const title = asText(thread['title']) || asText(thread['summary'])
  const metadata = isRecord(thread['metadata']) ? thread['metadata'] : {}
  return {
    key: asText(thread['id']),
    title,
    created_at: created,
    updated_at: toSeconds(thread['updated']) ?? created,
    pinned: metadata['is_favorite'] === true || thread['isFavorite'] === true,
    archived: false,
    folder: null,
    body: buildBody({ title, created, messages, currentId: null }),
  }
}

function readThread(
  folder: string,
  name: string,
  { intake, innerFiles }: { readonly intake: Intake; readonly innerFiles: InnerFiles },
): void {
  const about = readText(path.join(folder, 'thread.json'))
  const thread: unknown = about === null ? {} : JSON.parse(about)
  const said = readText(path.join(folder, 'messages.jsonl'))
  if (!isRecord(thread)) return
  if (said === null)
    return intake.note(`The messages of "${name}" cannot be read and are left out.`)
  const { messages, broken } = readLines(said)
  if (broken > 0) intake.note(`${broken} messages of "${name}" are broken and are left out.`)
  const parsed = toMessages(messages, readModel(thread), innerFiles)
  if (parsed.length > 0) intake.add(toChat({ id: name, ...thread }, parsed))
}

/** Reads the instructions of assistants as prompts. */
function readAssistants(folder: string, intake: Intake): void {
  const found = listFiles(folder).filter(
    ({ name, folders }) => name === 'assistant.json' && folders.length === 1,
  )
  for (const { path: file, folders } of found) {
    const id = folders[0]!
    intake.attempt(`The assistant "${id}"`, () => {
      const assistant: unknown = JSON.parse(readText(file) ?? '{}')
      if (!isRecord(assistant)) return
      const name = asText(assistant['name'])
      const content = asText(assistant['instructions'])
      intake.prompts.add({ key: `assistant:${id}`, command: name || id, name, content, tags: [] })
    })
  }
}

function read(root: string, intake: Intake): void {
  const innerFiles = new InnerFiles(intake)
  const threads = listFiles(root).filter(
    ({ name, folders }) => name === 'messages.jsonl' && folders.length === 1,
  )
  for (const { path: file, folders } of threads) {
    const name = folders[0]!
    intake.attempt(`"${name}"`, () => readThread(path.dirname(file), name, { intake, innerFiles }))
  }
  innerFiles.report()
  readAssistants(path.join(path.dirname(root), 'assistants'), intake)
}

export const jan: Program = {
  source: 'jan',
  kind: 'folder',
  places: (home, applicationData) => [
    path.join(home, 'jan', 'threads'),
    ...applicationData.map((folder) => path.join(folder, 'Jan', 'data', 'threads')),
  ],
  read,
}
