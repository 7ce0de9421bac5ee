/**
 * What the gateway tells the process that runs models. `token` is what its calls are known by;
 * after a crash it does without the graphics processor, whose driver may be to blame.
 */
export type EngineOrder =
  | { readonly type: 'start'; readonly token: string; readonly usesGraphics: boolean }
  | { readonly type: 'stop' }

/** What that process tells the gateway. It is `idle` when no model has been in memory for a while. */
export type EngineReport =
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'idle' }

/** The file of the model a call is for; the gateway knows which names may stand for which file. */
export const FILE_HEADER = 'x-model-file'
