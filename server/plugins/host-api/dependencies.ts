import type { ChatCompletion } from '#contract/completions.ts'
import type { Model } from '#contract/models.ts'
import type { Files } from '../../files/index.ts'
import type { Groups } from '../../groups/index.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller, Route, ServeOptions } from '../../lib/http.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import type { PluginsSettings } from '../plugins-settings.ts'
import type { Users } from '../../users/index.ts'
import type { ModelQuestion } from '../../extensions/model-question.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import type { PluginContext } from '../plugin-context.ts'

/**
 * What plugin code may reach of the gateway. What stands right of plugins in the order of the
 * server comes as functions.
 */
export interface HostDependencies {
  readonly groups: Pick<Groups, 'allows' | 'listOf' | 'permissionsOf'>
  readonly files: Pick<Files, 'get' | 'path' | 'create'>
  /** All routes of the gateway, asked for when the first endpoint is called. */
  readonly routes: () => readonly Route[]
  readonly requirePermitted: ServeOptions['requirePermitted']
  /** Vectors of texts. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<number[][]>
  readonly listModels: (caller: Caller) => Promise<Model[]>
  readonly complete: (question: ModelQuestion) => Promise<ChatCompletion>
  readonly stream: (question: ModelQuestion) => AsyncGenerator<CompletionFrame, void, void>
  /** Tools of any kind by their ids; those the caller may not use are left out. */
  readonly openTools: (
    origin: CallOrigin,
    ids: readonly string[],
  ) => ToolBelt | null | Promise<ToolBelt | null>
}

/** The same with the domain's own parts. */
export interface HostParts
  extends HostDependencies, Pick<PluginContext, 'store' | 'records' | 'access'> {
  readonly users: Users
  readonly settings: PluginsSettings
}
