import { z } from './lazy-zod.ts'
import { chatSchema } from './chats.ts'
import { doneSchema, idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** State of all data at one time. */
export const snapshotSchema = z
  .object({
    id: z.string(),
    /** `hourly`, `manual`, or the operation before which it was created. */
    label: z.string(),
    /** Creation time in unix seconds. */
    created_at: z.int(),
    /**
     * Total size of the database and uploads it represents; null for callers who are not
     * administrators.
     */
    bytes: z.int().nullable(),
    /** Storage it added to the earlier snapshots; also null for them. */
    added_bytes: z.int().nullable(),
    /** Known defect, in one sentence; null if there is none. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'Snapshot' })
export type SnapshotLine = z.output<typeof snapshotSchema>

/** Progress of restoring all data. */
export const restoreProgressSchema = z.object({
  snapshot_id: z.string(),
  /**
   * The snapshot is assembled and checked, the present state is stored in another one, and the
   * gateway restarts automatically; `waiting`: once it is restarted manually.
   */
  step: z.enum(['checking', 'keeping', 'restarting', 'waiting', 'failed']),
  /** Reason of the failure, in one sentence; nothing was changed in that case. */
  problem: z.string().nullable(),
})
export type RestoreProgress = z.output<typeof restoreProgressSchema>

/** Outcome of the last restore of all data. */
const restoreOutcomeSchema = z.object({
  snapshot_id: z.string(),
  /** Creation time in unix seconds. */
  at: z.int(),
  /** Number of files of the snapshot whose bytes no longer exist. */
  missing_files: z.int(),
  /** Reason why nothing was changed; null if the restore succeeded. */
  problem: z.string().nullable(),
})

/** Settings and contents of the time machine. */
const timeMachineSchema = z
  .object({
    /** True if new snapshots are created automatically. */
    on: z.boolean(),
    interval_minutes: z.int(),
    /**
     * False if uploads are kept in an object store: a snapshot then contains their texts, not their
     * bytes.
     */
    keeps_files: z.boolean(),
    /**
     * Maximum and current size of all snapshots in bytes; null for callers who are not
     * administrators.
     */
    budget: z.int().nullable(),
    stored: z.int().nullable(),
    /**
     * Progress of a restore of all data since the start; null also for callers who are not
     * administrators.
     */
    restore: restoreProgressSchema.nullable(),
    last_restore: restoreOutcomeSchema.nullable(),
    snapshots: z.array(snapshotSchema),
  })
  .meta({ id: 'TimeMachine' })
export type TimeMachineStatus = z.output<typeof timeMachineSchema>

/** Present state of an item: as in the snapshot, changed since, or gone. */
const stateSchema = z.enum(['same', 'changed', 'gone'])

const itemSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Creation time in unix seconds. */
  updated_at: z.int(),
  state: stateSchema,
})

/** Items of the caller in a snapshot. */
export const snapshotContentsSchema = z
  .object({
    chats: z.array(itemSchema.extend({ folder_id: z.string().nullable() })),
    folders: z.array(itemSchema.extend({ parent_id: z.string().nullable() })),
    notes: z.array(itemSchema),
    prompts: z.array(itemSchema),
    skills: z.array(itemSchema),
    calendars: z.array(itemSchema),
    events: z.array(itemSchema.extend({ calendar_id: z.string() })),
  })
  .meta({ id: 'SnapshotContents' })
export type SnapshotContents = z.output<typeof snapshotContentsSchema>

export const snapshotKinds = [
  'chat',
  'folder',
  'note',
  'prompt',
  'skill',
  'calendar',
  'event',
] as const
export type SnapshotKind = (typeof snapshotKinds)[number]

const broughtBackSchema = z.object({
  kind: z.enum(snapshotKinds),
  /** Id of the copy. */
  id: z.string(),
  /** Number of referenced files that were missing and were restored with it. */
  files: z.int(),
  /**
   * Number of referenced files that are missing in the snapshots too, or that the caller may not
   * upload.
   */
  missing_files: z.int(),
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
      summary: 'Creates a snapshot now, and checks it.',
    },
    remove: {
      method: 'DELETE',
      path: '/:snapshot_id',
      auth: 'admin',
      params,
      response: doneSchema,
      errors: [404],
      summary: 'Deletes a snapshot for all users, with the stored blocks only it uses.',
    },
    contents: {
      method: 'GET',
      path: '/:snapshot_id/contents',
      params,
      response: snapshotContentsSchema,
      errors: [404, 409],
      summary:
        'Chats, folders, notes, prompts, skills, calendars and events of the caller in a snapshot.',
    },
    chat: {
      method: 'GET',
      path: '/:snapshot_id/chats/:chat_id',
      params: params.extend({ chat_id: idSchema }),
      response: chatSchema,
      errors: [404, 409],
      summary: 'One chat of the caller in a snapshot.',
    },
    bringEverythingBack: {
      method: 'POST',
      path: '/:snapshot_id/bring-everything-back',
      auth: 'admin',
      params,
      response: restoreProgressSchema,
      errors: [404, 409],
      summary:
        'Starts to restore the whole gateway from a snapshot, for all users. The current state is first stored as a snapshot, then the gateway restarts. `GET /api/v1/snapshots/` reports the progress.',
    },
    bringBack: {
      method: 'POST',
      path: '/:snapshot_id/bring-back',
      params,
      body: z.object({ kind: z.enum(snapshotKinds), id: idSchema }),
      response: broughtBackSchema,
      errors: [400, 403, 404, 409, 413, 507],
      summary:
        'Stores a chat, a folder with its contents, a note, a prompt, a skill, a calendar with its events or one event of a snapshot as an unshared copy of the caller, with the files it refers to; existing objects stay unchanged.',
    },
  },
)
