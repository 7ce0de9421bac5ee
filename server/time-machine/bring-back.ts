import { endpoints } from '#contract/endpoints.ts'
import type { SnapshotKind } from '#contract/time-machine.ts'
import type { Chats } from '../chats/index.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller, ServeOptions } from '../lib/http.ts'
import type { Notes } from '../notes/index.ts'
import type { Prompts } from '../prompts/index.ts'
import type { StoredThings } from './stored-things.ts'

/** Where things come back to. */
export interface Present {
  readonly chats: Pick<Chats, 'bringBack' | 'bringFolderBack'>
  readonly notes: Pick<Notes, 'create'>
  readonly prompts: Pick<Prompts, 'create' | 'list'>
  /** Bringing back needs what making a new one needs. */
  readonly requirePermitted: ServeOptions['requirePermitted']
}

const asOwner = (caller: Caller): Caller => ({ ...caller, role: 'user' })

function requireOwn<Each extends { readonly user_id: string }>(caller: Caller, thing: Each): Each {
  if (thing.user_id !== caller.userId) throw notFound('The snapshot has no such thing of yours.')
  return thing
}

async function bringChat(things: StoredThings, present: Present, caller: Caller, id: string) {
  return present.chats.bringBack(caller.userId, await things.chats.read(caller.userId, id))
}

/** The folder with those inside it and all their chats, the outer ones first. */
async function bringFolder(things: StoredThings, present: Present, caller: Caller, id: string) {
  await present.requirePermitted(caller, endpoints.folders.create)
  const { userId } = caller
  const folders = await things.chats.folders(userId)
  const places = new Map<string, string>()
  const first = folders.find((folder) => folder.id === id)
  if (!first) throw notFound('The snapshot has no such folder of yours.')
  for (const waiting = [first]; waiting.length > 0;) {
    const folder = waiting.shift()!
    const parent = folder === first ? null : (places.get(folder.parent_id ?? '') ?? null)
    places.set(folder.id, await present.chats.bringFolderBack(userId, folder, parent))
    waiting.push(...folders.filter(({ parent_id: outer }) => outer === folder.id))
  }
  const { chats } = await things.list(caller)
  for (const chat of chats) {
    const place = chat.folder_id === null ? undefined : places.get(chat.folder_id)
    if (place === undefined) continue
    await present.chats.bringBack(userId, await things.chats.read(userId, chat.id), place)
  }
  return places.get(id)!
}

async function bringNote(things: StoredThings, present: Present, caller: Caller, id: string) {
  await present.requirePermitted(caller, endpoints.notes.create)
  const { title, data, meta } = requireOwn(caller, await things.notes.get(asOwner(caller), id))
  return (await present.notes.create(caller, { title, data, meta })).id
}

/** The command may be taken by now, be it by the very prompt. */
async function findFreeCommand(
  { prompts }: Present,
  caller: Caller,
  command: string,
): Promise<string> {
  const taken = new Set<string>()
  for await (const each of prompts.list({ ...caller, role: 'admin' }))
    taken.add(each.command.replace(/^\//, ''))
  const bare = command.replace(/^\//, '')
  let free = bare
  for (let count = 2; taken.has(free); count += 1) free = `${bare}-${count}`
  return command.startsWith('/') ? `/${free}` : free
}

async function bringPrompt(things: StoredThings, present: Present, caller: Caller, id: string) {
  await present.requirePermitted(caller, endpoints.prompts.create)
  const all = await Array.fromAsync(things.prompts.list(asOwner(caller)))
  const found = all.find((prompt) => prompt.id === id)
  if (!found) throw notFound('The snapshot has no such prompt of yours.')
  const { name, content, tags, data, meta } = requireOwn(caller, found)
  const command = await findFreeCommand(present, caller, found.command)
  const input = { command, name, content, tags, data, meta, is_production: true }
  return (await present.prompts.create(caller, input)).id
}

const ways = { chat: bringChat, folder: bringFolder, note: bringNote, prompt: bringPrompt }

/**
 * Stores one thing of a snapshot as a new one of the caller, without the links and rights others
 * had on it; answers its id.
 */
export const bringBack = (
  things: StoredThings,
  present: Present,
  caller: Caller,
  { kind, id }: { kind: SnapshotKind; id: string },
): Promise<string> => ways[kind](things, present, caller, id)
