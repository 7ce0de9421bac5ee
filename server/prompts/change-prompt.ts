import type { PromptInput, PromptSnapshot, PromptUpdate } from '#contract/prompts.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { nextVersionAt, requireKnown } from '../lib/known-version.ts'
import { toSnapshot, type PromptContext } from './prompt-context.ts'
import type { PromptRow } from './store.ts'

/** Maximum number of versions of one prompt; older ones are removed. */
const MOST_VERSIONS = 200

type Changes = Partial<
  Pick<PromptUpdate, 'command' | 'name' | 'title' | 'content' | 'tags' | 'data' | 'meta'>
>

function toColumns({ command, name, content, tags, data, meta }: PromptSnapshot) {
  return {
    command,
    name,
    content,
    tags: JSON.stringify(tags),
    data: JSON.stringify(data),
    meta: JSON.stringify(meta),
  }
}

/** Returns the snapshot with the given fields replaced. */
function applyChanges(
  before: PromptSnapshot,
  { command, name, title, content, tags, data, meta }: Changes,
): PromptSnapshot {
  checkPlainJson([data, meta], 'The prompt')
  return {
    command: command ?? before.command,
    name: name ?? title ?? before.name,
    content: content ?? before.content,
    tags: tags ? [...new Set(tags)] : before.tags,
    data: data ?? before.data,
    meta: meta ?? before.meta,
  }
}

async function requireFreeCommand(
  { store }: PromptContext,
  command: string,
  ownId: string | null,
): Promise<void> {
  const holder = await store.findByCommand(command)
  if (holder && holder.id !== ownId)
    throw badRequest('This command is taken. Choose another one.', { code: 'command_taken' })
}

interface VersionInput {
  readonly promptId: string
  readonly parentId: string | null
  readonly snapshot: PromptSnapshot
  readonly message: string | null
}

async function addVersion(
  { versions }: PromptContext,
  caller: Caller,
  { promptId, parentId, snapshot, message }: VersionInput,
): Promise<string> {
  const id = newId()
  await versions.insert({
    id,
    prompt_id: promptId,
    parent_id: parentId,
    snapshot: JSON.stringify(snapshot),
    commit_message: message,
    user_id: caller.userId,
    created_at: nowSeconds(),
  })
  return id
}

async function pruneVersions(
  { versions }: PromptContext,
  promptId: string,
  usedId: string,
): Promise<void> {
  for (const { id } of await versions.ids(promptId, {
    offset: MOST_VERSIONS,
    limit: MOST_VERSIONS,
  }))
    if (id !== usedId) await versions.remove(id)
}

/** Stores a prompt with its first version; resolves with the id. */
export async function createPrompt(
  context: PromptContext,
  caller: Caller,
  input: PromptInput,
): Promise<string> {
  const empty = {
    command: input.command,
    name: '',
    content: input.content,
    tags: [],
    data: {},
    meta: {},
  }
  const snapshot = applyChanges(empty, input)
  const id = newId()
  const now = nowSeconds()
  await context.storage.transaction(async () => {
    await requireFreeCommand(context, snapshot.command, null)
    const version = {
      promptId: id,
      parentId: null,
      snapshot,
      message: input.commit_message ?? null,
    }
    const row = {
      id,
      user_id: caller.userId,
      ...toColumns(snapshot),
      is_active: 1,
      version_id: newId(),
      created_at: now,
      updated_at: now,
    }
    await context.store.insert(row)
    await context.store.update(id, { version_id: await addVersion(context, caller, version) })
    await context.access.replace(caller, { type: 'prompt', id }, input)
  })
  return id
}

/** Stores the new text as a version and, unless it is only a draft, makes it current. */
export async function updatePrompt(
  context: PromptContext,
  caller: Caller,
  { row: read, changes }: { row: PromptRow; changes: PromptUpdate },
): Promise<void> {
  const message = changes.commit_message ?? null
  await context.storage.transaction(async () => {
    const row = await currentOf(context, read)
    requireKnown(row.updated_at, changes.known_at)
    const before = toSnapshot(row)
    const snapshot = applyChanges(before, changes)
    const isChanged = message !== null || JSON.stringify(snapshot) !== JSON.stringify(before)
    if (changes.is_production) await requireFreeCommand(context, snapshot.command, row.id)
    if (isChanged) {
      const versionId = await addVersion(context, caller, {
        promptId: row.id,
        parentId: row.version_id,
        snapshot,
        message,
      })
      if (changes.is_production)
        await context.store.update(row.id, {
          ...toColumns(snapshot),
          version_id: versionId,
          updated_at: nextVersionAt(row.updated_at),
        })
      await pruneVersions(context, row.id, changes.is_production ? versionId : row.version_id)
    }
    await context.access.replace(caller, { type: 'prompt', id: row.id }, changes)
  })
}

/**
 * Returns a prompt as it is in the transaction that changes it: another tab may have changed it
 * since.
 */
async function currentOf({ store }: PromptContext, { id }: PromptRow): Promise<PromptRow> {
  const row = await store.get(id)
  if (!row) throw notFound('There is no such prompt.')
  return row
}

/** Changes name, command and tags, which need no version. */
export async function updatePromptMeta(
  context: PromptContext,
  row: PromptRow,
  changes: Pick<Changes, 'command' | 'name' | 'title' | 'tags'>,
): Promise<void> {
  await context.storage.transaction(async () => {
    const before = await currentOf(context, row)
    const snapshot = applyChanges(toSnapshot(before), changes)
    await requireFreeCommand(context, snapshot.command, row.id)
    const updatedAt = nextVersionAt(before.updated_at)
    await context.store.update(row.id, { ...toColumns(snapshot), updated_at: updatedAt })
  })
}

/**
 * Makes an earlier version current; the command stays, because another prompt may have taken the
 * old one since.
 */
export async function useVersion(
  context: PromptContext,
  row: PromptRow,
  versionId: string,
): Promise<void> {
  const version = await context.versions.get(row.id, versionId)
  if (!version) throw notFound('There is no such version of this prompt.')
  await context.storage.transaction(async () => {
    const { command, updated_at: before } = await currentOf(context, row)
    const snapshot = { ...(JSON.parse(version.snapshot) as PromptSnapshot), command }
    await context.store.update(row.id, {
      ...toColumns(snapshot),
      version_id: versionId,
      updated_at: nextVersionAt(before),
    })
  })
}
