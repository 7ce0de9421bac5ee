import path from 'node:path'
import { asList, toSeconds, type Fields } from '../archive-chat.ts'
import { buildBody, type AttachedFile, type ParsedMessage } from '../build-body.ts'
import { withCopy, type CopiedStore } from './copied-store.ts'
import { InnerFiles } from './inner-files.ts'
import { StoreError, type Intake, type Program } from './program.ts'
import { asText } from '../../../lib/text/as-text.ts'
import { isRecord } from '../../../lib/is-record.ts'

interface Conversation {
  readonly key: string
  readonly title: string
  readonly folder: string
  readonly model: string | null
  readonly workspaceId: number
  /** Null for the messages of a workspace that belong to no thread. */
  readonly threadId: number | null
}

interface Reading {
  readonly store: CopiedStore
  readonly intake: Intake
  readonly innerFiles: InnerFiles
}

const NEEDED = ['workspaceId', 'prompt', 'response', 'thread_id', 'createdAt', 'include']

interface Attachments {
  readonly files: readonly AttachedFile[]
  /** Names of those that could not be taken, as lines of the message. */
  readonly notes: readonly string[]
}

/** Takes the pictures of a question, whose bytes stand in its row. */
function takeAttachments(listed: readonly unknown[], innerFiles: InnerFiles): Attachments {
  const files: AttachedFile[] = []
  const notes: string[] = []
  for (const file of listed) {
    const name = isRecord(file) ? asText(file['name']) : ''
    const taken = innerFiles.take(isRecord(file) ? asText(file['contentString']) : '', name)
    if (taken) files.push(taken)
    else notes.push(`*[File: ${name || 'unnamed'}]*`)
  }
  return { files, notes }
}

interface ExchangePlace {
  readonly model: string | null
  readonly parentId: string | null
  readonly innerFiles: InnerFiles
}

/** Reads a question with its answer, which are stored in one row. */
function readExchange(
  row: Fields,
  { model, parentId, innerFiles }: ExchangePlace,
): ParsedMessage[] {
  const value: unknown = JSON.parse(asText(row['response']) || '{}')
  const response = isRecord(value) ? value : {}
  const { files, notes } = takeAttachments(asList(response['attachments']), innerFiles)
  const time = toSeconds(row['createdAt'])
  const question = `${String(row['id'])}-question`
  return [
    {
      id: question,
      parentId,
      role: 'user',
      content: [asText(row['prompt']), ...notes].join('\n\n'),
      reasoning: '',
      model: null,
      time,
      files,
    },
    {
      id: `${String(row['id'])}-answer`,
      parentId: question,
      role: 'assistant',
      content: asText(response['text']),
      reasoning: '',
      model,
      time,
    },
  ]
}

function readConversation({ store, intake, innerFiles }: Reading, chat: Conversation): void {
  const messages: ParsedMessage[] = []
  const rows = store.all(
    'select id, prompt, response, createdAt from workspace_chats where workspaceId = ? and thread_id is ? and include = 1 order by id',
    chat.workspaceId,
    chat.threadId,
  )
  for (const row of rows)
    intake.attempt(`A message of "${chat.title.slice(0, 200)}"`, () => {
      const parentId = messages.at(-1)?.id ?? null
      messages.push(...readExchange(row, { model: chat.model, parentId, innerFiles }))
    })
  if (messages.length === 0) return
  const { title, key, folder } = chat
  const created = messages[0]!.time
  intake.add({
    key,
    title,
    created_at: created,
    updated_at: messages.at(-1)!.time,
    pinned: false,
    archived: false,
    folder,
    body: buildBody({ title, created, messages, currentId: null }),
  })
}

function readWorkspace(reading: Reading, workspace: Fields): void {
  const { store, intake } = reading
  const workspaceId = Number(workspace['id'])
  const name = asText(workspace['name'])
  const slug = asText(workspace['slug']) || String(workspaceId)
  const folder = `anythingllm:${slug}`
  const model = asText(workspace['chatModel']) || null
  const shared = { folder, model, workspaceId }
  intake.addFolders([{ id: folder, name, parent_id: null }])
  readConversation(reading, { ...shared, key: `${slug}/`, title: name, threadId: null })
  const threads = store.columns('workspace_threads').has('workspace_id')
    ? store.all('select id, name, slug from workspace_threads where workspace_id = ?', workspaceId)
    : []
  for (const thread of threads)
    readConversation(reading, {
      ...shared,
      key: `${slug}/${asText(thread['slug'])}`,
      title: asText(thread['name']),
      threadId: Number(thread['id']),
    })
}

/** Reads the instructions of workspaces and the commands of the message box, both as prompts. */
function readPrompts(store: CopiedStore, intake: Intake): void {
  if (store.columns('workspaces').has('openAiPrompt'))
    for (const { slug, name, openAiPrompt } of store.all(
      'select slug, name, openAiPrompt from workspaces where openAiPrompt is not null order by id',
    ))
      intake.prompts.add({
        key: `workspace:${asText(slug)}`,
        command: asText(slug),
        name: asText(name),
        content: asText(openAiPrompt),
        tags: [],
      })
  const columns = store.columns('slash_command_presets')
  if (!['id', 'command', 'prompt', 'description'].every((name) => columns.has(name))) return
  for (const preset of store.all(
    'select id, command, prompt, description from slash_command_presets order by id',
  ))
    intake.prompts.add({
      key: `command:${String(preset['id'])}`,
      command: asText(preset['command']),
      name: asText(preset['description']),
      content: asText(preset['prompt']),
      tags: [],
    })
}

/** Returns true if a database belongs to AnythingLLM. */
export const isAnythingLlm = (store: CopiedStore): boolean =>
  store.columns('workspace_chats').size > 0 && store.columns('workspaces').size > 0

export function readAnythingLlm(store: CopiedStore, intake: Intake): void {
  const columns = store.columns('workspace_chats')
  if (!NEEDED.every((name) => columns.has(name)))
    throw new StoreError(
      'This version of AnythingLLM keeps its chats in a way that is not known here.',
    )
  if (store.count('users') > 1)
    throw new StoreError(
      'This AnythingLLM has several accounts, whose chats cannot be told apart safely.',
    )
  const innerFiles = new InnerFiles(intake)
  const model = store.columns('workspaces').has('chatModel') ? ', chatModel' : ''
  for (const workspace of store.all(`select id, name, slug${model} from workspaces order by id`))
    readWorkspace({ store, intake, innerFiles }, workspace)
  innerFiles.report()
  readPrompts(store, intake)
  const documents = store.count('workspace_documents')
  if (documents > 0)
    intake.note(
      `${documents} documents are not carried over: add them again under Workspace → Knowledge.`,
    )
}

export const anythingLlm: Program = {
  source: 'anythingllm',
  kind: 'database',
  places: (_, applicationData) =>
    applicationData.map((folder) =>
      path.join(folder, 'anythingllm-desktop', 'storage', 'anythingllm.db'),
    ),
  read: (place, intake, room) =>
    withCopy(place, room, (store) => {
      if (!isAnythingLlm(store)) throw new StoreError('This is not a database of AnythingLLM.')
      readAnythingLlm(store, intake)
    }),
}
