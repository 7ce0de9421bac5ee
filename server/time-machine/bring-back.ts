import { endpoints } from '#contract/endpoints.ts'
import type { BroughtBack, SnapshotKind } from '#contract/time-machine.ts'
import type { Calendars } from '../calendars/index.ts'
import type { Chats } from '../chats/index.ts'
import type { Files } from '../files/index.ts'
import { notFound } from '../lib/errors.ts'
import type { Caller, ServeOptions } from '../lib/http.ts'
import type { Notes } from '../notes/index.ts'
import type { Prompts } from '../prompts/index.ts'
import type { Skills } from '../skills/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Snapshots } from '../storage/snapshots/index.ts'
import { RestoredFiles } from './restored-files.ts'
import type { StoredThings } from './stored-things.ts'

/** Destinations of restored objects. */
export interface Present {
  readonly chats: Pick<Chats, 'bringBack' | 'bringFolderBack'>
  readonly notes: Notes
  readonly prompts: Prompts
  readonly skills: Skills
  readonly calendars: Calendars
  readonly files: Files
  readonly storage: Storage
  /** Restoring an object requires the same permissions as creating one. */
  readonly requirePermitted: ServeOptions['requirePermitted']
}

/** Parameters of a restore: the object, its owner and its source. */
interface Wish {
  readonly things: StoredThings
  readonly present: Present
  readonly files: RestoredFiles
  readonly caller: Caller
  readonly id: string
}

const asOwner = (caller: Caller): Caller => ({ ...caller, role: 'user' })

function requireOwn<Each extends { readonly user_id: string }>(caller: Caller, thing: Each): Each {
  if (thing.user_id !== caller.userId) throw notFound('The snapshot has no such thing of yours.')
  return thing
}

async function bringChat({ things, present, files, caller, id }: Wish): Promise<string> {
  const chat = await files.restore(await things.chats.read(caller.userId, id))
  return present.chats.bringBack(caller.userId, chat)
}

/** Restores a folder with its subfolders and all their chats, outer folders first. */
async function bringFolder({ things, present, files, caller, id }: Wish): Promise<string> {
  await present.requirePermitted(caller, endpoints.folders.create)
  const { userId } = caller
  const folders = await things.chats.folders(userId)
  const places = new Map<string, string>()
  const first = folders.find((folder) => folder.id === id)
  if (!first) throw notFound('The snapshot has no such folder of yours.')
  for (const waiting = [first]; waiting.length > 0;) {
    const folder = waiting.shift()!
    const parent = folder === first ? null : (places.get(folder.parent_id ?? '') ?? null)
    const data = await files.restore(folder.data)
    places.set(folder.id, await present.chats.bringFolderBack(userId, { ...folder, data }, parent))
    waiting.push(...folders.filter(({ parent_id: outer }) => outer === folder.id))
  }
  const { chats } = await things.list(caller)
  for (const chat of chats) {
    const place = chat.folder_id === null ? undefined : places.get(chat.folder_id)
    if (place === undefined) continue
    const whole = await files.restore(await things.chats.read(userId, chat.id))
    await present.chats.bringBack(userId, whole, place)
  }
  return places.get(id)!
}

async function bringNote({ things, present, files, caller, id }: Wish): Promise<string> {
  await present.requirePermitted(caller, endpoints.notes.create)
  const { title, data, meta } = requireOwn(caller, await things.notes.get(asOwner(caller), id))
  const { id: made } = await present.notes.create(caller, {
    title,
    ...(await files.restore({ data, meta })),
  })
  return made
}

/** The command may be taken by now, even by the same prompt. */
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

async function bringPrompt({ things, present, caller, id }: Wish): Promise<string> {
  await present.requirePermitted(caller, endpoints.prompts.create)
  const all = await Array.fromAsync(things.prompts.list(asOwner(caller)))
  const found = all.find((prompt) => prompt.id === id)
  if (!found) throw notFound('The snapshot has no such prompt of yours.')
  const { name, content, tags, data, meta } = requireOwn(caller, found)
  return present.storage.transaction(async () => {
    const command = await findFreeCommand(present, caller, found.command)
    const input = { command, name, content, tags, data, meta, is_production: true }
    return (await present.prompts.create(caller, input)).id
  })
}

/** Returns the name, or the first numbered variant of it, that is not taken. */
function firstFree(taken: ReadonlySet<string>, name: string, join: string): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name}${join}${count}`
  return free
}

/** Its id and name may be taken by now, even by the same skill. */
async function bringSkill({ things, present, caller, id }: Wish): Promise<string> {
  await present.requirePermitted(caller, endpoints.skills.create)
  const found = requireOwn(caller, await things.skills.get(asOwner(caller), id))
  const { name, description, content, meta, is_active, files } = found
  return present.storage.transaction(async () => {
    const all = await Array.fromAsync(present.skills.list({ ...caller, role: 'admin' }))
    const made = await present.skills.create(caller, {
      id: firstFree(new Set(all.map((each) => each.id)), id, '-'),
      name: firstFree(new Set(all.map((each) => each.name)), name, ' '),
      description,
      content,
      meta,
      is_active,
    })
    for (const { path } of files) {
      const bytes = await things.skills.fileOf({ id }, path)
      if (bytes) await present.skills.writeFile(caller, made.id, { path, content: bytes })
    }
    return made.id
  })
}

/** Restores a calendar with all its events. */
async function bringCalendar({ things, present, files, caller, id }: Wish): Promise<string> {
  await present.requirePermitted(caller, endpoints.calendars.create)
  const old = await things.calendars.get(caller.userId, id)
  async function* events() {
    for await (const batch of things.calendars.eventsOf(old)) yield files.restore(batch)
  }
  return present.calendars.bringBack.calendar(caller, await files.restore(old), events())
}

async function bringEvent({ things, present, files, caller, id }: Wish): Promise<string> {
  await present.requirePermitted(caller, endpoints.calendars.createEvent)
  const old = await things.calendars.event(caller.userId, id)
  return present.calendars.bringBack.event(caller, await files.restore(old))
}

const ways = {
  chat: bringChat,
  folder: bringFolder,
  note: bringNote,
  prompt: bringPrompt,
  skill: bringSkill,
  calendar: bringCalendar,
  event: bringEvent,
}

/**
 * Stores one object of a snapshot as a new one of the caller, without the links and grants others
 * had on it, together with the files it refers to that no longer exist.
 */
export async function bringBack(
  wish: Omit<Wish, 'files'> & {
    readonly kind: SnapshotKind
    readonly snapshots: Snapshots
  },
): Promise<BroughtBack> {
  const { kind, things, present, caller, snapshots } = wish
  const files = new RestoredFiles(things, { ...present, snapshots }, caller)
  try {
    const id = await ways[kind]({ ...wish, files })
    return { kind, id, ...files.counts }
  } catch (error) {
    // When restoring a folder, chats that refer to the files may already be stored.
    if (kind !== 'folder') await files.undo()
    throw error
  }
}
