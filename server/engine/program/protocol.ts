import type { CallWait } from '../../lib/outgoing/call-wait.ts'

/**
 * Messages of the gateway to the process that runs models. `token` authenticates its calls; after a
 * crash the process runs without the graphics processor, whose driver may be the cause.
 * `cudaPackages` are the entry files of downloaded packages by their names.
 */
export type EngineOrder =
  | {
      readonly type: 'start'
      readonly token: string
      readonly usesGraphics: boolean
      readonly cudaPackages: Readonly<Record<string, string>>
    }
  | { readonly type: 'stop' }

/**
 * Messages of that process to the gateway. `idle` is sent when no model has been in memory for a
 * while, `opened` when the library has chosen a processor with the first model, `waiting` while a
 * call that asked for it waits.
 */
export type EngineReport =
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'idle' }
  | { readonly type: 'opened'; readonly usesCuda: boolean }
  | { readonly type: 'waiting'; readonly call: string; readonly wait: CallWait }

/** Header with the id of a call that is to be told why it waits. */
export const CALL_HEADER = 'x-call-id'
/** Header with the model file of a call; the gateway maps names to files. */
export const FILE_HEADER = 'x-model-file'
/** Header with the digest of that file, which tells a replaced file from the loaded one. */
export const DIGEST_HEADER = 'x-model-digest'
/** Path of the call that unloads a file before it is deleted or replaced. */
export const FORGET_PATH = '/api/forget'
