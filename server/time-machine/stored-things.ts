import type { SnapshotContents } from '#contract/time-machine.ts'
import type { Access } from '../access/index.ts'
import { OldCalendars } from '../calendars/index.ts'
import { OldChats } from '../chats/index.ts'
import { openOldFiles, type OldFiles } from '../files/index.ts'
import type { Caller } from '../lib/http.ts'
import { runInTurns } from '../lib/turns.ts'
import { Notes } from '../notes/index.ts'
import { Prompts } from '../prompts/index.ts'
import { Skills } from '../skills/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'

interface Thing {
  readonly id: string
  readonly title: string
  /** In seconds, with the fractions that are stored, so that quick changes are seen. */
  readonly updated_at: number
}

/** Objects of a user in a database. */
export interface Things {
  readonly chats: readonly (Thing & { readonly folder_id: string | null })[]
  readonly folders: readonly (Thing & { readonly parent_id: string | null })[]
  readonly notes: readonly Thing[]
  readonly prompts: readonly Thing[]
  readonly skills: readonly Thing[]
  readonly calendars: readonly Thing[]
  readonly events: readonly (Thing & { readonly calendar_id: string })[]
}

const NANOSECONDS = 1_000_000_000

const toSeconds = (milliseconds: number): number => milliseconds / 1000

/** Reads the objects of users in a database, either an earlier state or the current one. */
export class StoredThings {
  readonly chats: OldChats
  readonly files: OldFiles
  readonly notes: Notes
  readonly prompts: Prompts
  readonly skills: Skills
  readonly calendars: OldCalendars

  constructor({
    storage,
    access,
    users,
  }: {
    readonly storage: Storage
    /**
     * From the current database: a user who has since lost access has none in an earlier state
     * either.
     */
    readonly access: Access
    readonly users: Users
  }) {
    const bounds = () => ({ values: Infinity, characters: Infinity })
    this.chats = new OldChats({ storage, access })
    this.files = openOldFiles(storage)
    this.notes = new Notes({ storage, access, users, bounds })
    this.prompts = new Prompts({ storage, access, users })
    this.skills = new Skills({ storage, access, users })
    this.calendars = new OldCalendars(storage)
  }

  /** Lists the caller's own objects, in short steps; excludes those shared by others. */
  list(caller: Caller): Promise<Things> {
    return runInTurns(this.#list({ ...caller, role: 'user' }))
  }

  async *#list(caller: Caller): AsyncGenerator<void, Things> {
    const isOwn = ({ user_id: owner }: { user_id: string }): boolean => owner === caller.userId
    const chats: Things['chats'][number][] = []
    for await (const chat of this.chats.list(caller.userId)) {
      if (chat) {
        const { id, title, updated_at, folder_id } = chat
        chats.push({ id, title, updated_at, folder_id })
      }
      yield
    }
    const notes: Thing[] = []
    for await (const note of this.notes.list(caller, {})) {
      if (isOwn(note))
        notes.push({
          id: note.id,
          title: note.title,
          updated_at: note.updated_at / NANOSECONDS,
        })
      yield
    }
    const prompts: Thing[] = []
    for await (const prompt of this.prompts.list(caller)) {
      if (isOwn(prompt))
        prompts.push({ id: prompt.id, title: prompt.name, updated_at: prompt.updated_at })
      yield
    }
    const skills: Thing[] = []
    for await (const skill of this.skills.list(caller)) {
      if (isOwn(skill))
        skills.push({ id: skill.id, title: skill.name, updated_at: skill.updated_at })
      yield
    }
    const folders = (await this.chats.folders(caller.userId)).map(
      ({ id, name, updated_at, parent_id }) => ({ id, title: name, updated_at, parent_id }),
    )
    const { calendars, events } = yield* this.#listCalendars(caller.userId)
    return { chats, folders, notes, prompts, skills, calendars, events }
  }

  async *#listCalendars(
    userId: string,
  ): AsyncGenerator<void, Pick<Things, 'calendars' | 'events'>> {
    const calendars: Thing[] = []
    const events: Things['events'][number][] = []
    for (const calendar of await this.calendars.list(userId)) {
      calendars.push({
        id: calendar.id,
        title: calendar.name,
        updated_at: toSeconds(calendar.updated_at),
      })
      for await (const batch of this.calendars.eventsOf(calendar)) {
        for (const { id, title, updated_at: at, calendar_id } of batch)
          events.push({ id, title, updated_at: toSeconds(at), calendar_id })
        yield
      }
    }
    return { calendars, events }
  }
}

function compare<Each extends Thing>(
  before: readonly Each[],
  now: readonly Thing[],
): (Each & { state: 'same' | 'changed' | 'gone' })[] {
  const times = new Map(now.map(({ id, updated_at: time }) => [id, time]))
  return before.map((each) => {
    const time = times.get(each.id)
    const since = time === each.updated_at ? 'same' : 'changed'
    return {
      ...each,
      updated_at: Math.floor(each.updated_at),
      state: time === undefined ? 'gone' : since,
    }
  })
}

/** Compares each object with its current state; times are whole seconds then. */
export const compareThings = (before: Things, now: Things): SnapshotContents => ({
  chats: compare(before.chats, now.chats),
  folders: compare(before.folders, now.folders),
  notes: compare(before.notes, now.notes),
  prompts: compare(before.prompts, now.prompts),
  skills: compare(before.skills, now.skills),
  calendars: compare(before.calendars, now.calendars),
  events: compare(before.events, now.events),
})
