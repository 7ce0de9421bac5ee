import { z } from './lazy-zod.ts'
import { chatSchema } from './chats.ts'
import { idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** One state of everything, as it was at a time. */
export const snapshotSchema = z
  .object({
    id: z.string(),
    /** `hourly`, `manual`, or what it was made before. */
    label: z.string(),
    /** Unix seconds. */
    created_at: z.number().int(),
    /** Of the database and uploads it stands for; null for those who are no administrators. */
    bytes: z.number().int().nullable(),
    /** What it took beyond the snapshots before it; null likewise. */
    added_bytes: z.number().int().nullable(),
    /** What is wrong with it, in a sentence; null when nothing is known to be. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'Snapshot' })
export type SnapshotLine = z.output<typeof snapshotSchema>

/** How far bringing everything back is. */
export const restoreProgressSchema = z.object({
  snapshot_id: z.string(),
  /**
   * The snapshot is put together and checked, the present state is kept in another one, and the
   * gateway starts again by itself; `waiting`: once somebody starts it again.
   */
  step: z.enum(['checking', 'keeping', 'restarting', 'waiting', 'failed']),
  /** Why it failed, in a sentence; nothing was changed then. */
  problem: z.string().nullable(),
})
export type RestoreProgress = z.output<typeof restoreProgressSchema>

/** What became of the last time everything was to be brought back. */
const restoreOutcomeSchema = z.object({
  snapshot_id: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
  /** Files of the snapshot whose bytes are nowhere any more. */
  missing_files: z.number().int(),
  /** Why everything stayed as it was; null when it was brought back. */
  problem: z.string().nullable(),
})

/** How the time machine is set, and what it has. */
const timeMachineSchema = z
  .object({
    /** Whether new ones are made by themselves. */
    on: z.boolean(),
    interval_minutes: z.number().int(),
    /** False where uploads lie in an object store: then a snapshot has their texts, not their bytes. */
    keeps_files: z.boolean(),
    /** Bytes all of them may take, and take; null for those who are no administrators. */
    budget: z.number().int().nullable(),
    stored: z.number().int().nullable(),
    /** Of bringing everything back since the start; null also for those who are no administrators. */
    restore: restoreProgressSchema.nullable(),
    last_restore: restoreOutcomeSchema.nullable(),
    snapshots: z.array(snapshotSchema),
  })
  .meta({ id: 'TimeMachine' })
export type TimeMachineStatus = z.output<typeof timeMachineSchema>

/** What a thing is at present: as in the snapshot, changed since, or gone. */
const stateSchema = z.enum(['same', 'changed', 'gone'])

const itemSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Unix seconds. */
  updated_at: z.number().int(),
  state: stateSchema,
})

/** What a snapshot has of the caller. */
export const snapshotContentsSchema = z
  .object({
    chats: z.array(itemSchema.extend({ folder_id: z.string().nullable() })),
    folders: z.array(itemSchema.extend({ parent_id: z.string().nullable() })),
    notes: z.array(itemSchema),
    prompts: z.array(itemSchema),
    skills: z.array(itemSchema),
  })
  .meta({ id: 'SnapshotContents' })
export type SnapshotContents = z.output<typeof snapshotContentsSchema>

export const snapshotKinds = ['chat', 'folder', 'note', 'prompt', 'skill'] as const
export type SnapshotKind = (typeof snapshotKinds)[number]

const broughtBackSchema = z.object({
  kind: z.enum(snapshotKinds),
  /** Of the copy. */
  id: z.string(),
  /** Files it refers to that were gone and came back with it. */
  files: z.number().int(),
  /** Files it refers to that are gone from the snapshots too, or that the caller may not upload. */
  missing_files: z.number().int(),
})
export type BroughtBack = z.output<typeof broughtBackSchema>

const params = z.object({ snapshot_id: idSchema })

export const timeMachineEndpoints = defineEndpoints(
  { domain: 'timeMachine', tag: 'Time machine', root: '/api/v1/snapshots' },
  {
    list: {
      method: 'GET',
      path: '/',
      response: timeMachineSchema,
      summary: 'Earlier states of the gateway, newest first.',
    },
    take: {
      method: 'POST',
      path: '/',
      auth: 'admin',
      response: snapshotSchema,
      errors: [507],
      summary: 'Makes a snapshot now, and checks it.',
    },
    contents: {
      method: 'GET',
      path: '/:snapshot_id/contents',
      params,
      response: snapshotContentsSchema,
      errors: [404, 409],
      summary: 'Chats, folders, notes, prompts and skills of the caller as a snapshot has them.',
    },
    chat: {
      method: 'GET',
      path: '/:snapshot_id/chats/:chat_id',
      params: params.extend({ chat_id: idSchema }),
      response: chatSchema,
      errors: [404, 409],
      summary: 'One chat of the caller as a snapshot has it.',
    },
    bringEverythingBack: {
      method: 'POST',
      path: '/:snapshot_id/bring-everything-back',
      auth: 'admin',
      params,
      response: restoreProgressSchema,
      errors: [404, 409],
      summary:
        'Begins to bring the whole gateway back to a snapshot, for everybody. The present state is kept as a snapshot first, then the gateway starts again. `GET /api/v1/snapshots/` says how far it is.',
    },
    bringBack: {
      method: 'POST',
      path: '/:snapshot_id/bring-back',
      params,
      body: z.object({ kind: z.enum(snapshotKinds), id: idSchema }),
      response: broughtBackSchema,
      errors: [400, 403, 404, 409, 413, 507],
      summary:
        'Stores a chat, a folder with all in it, a note, a prompt or a skill of a snapshot as a copy that is the caller’s alone, with the files it refers to; what is there now stays as it is.',
    },
  },
)
