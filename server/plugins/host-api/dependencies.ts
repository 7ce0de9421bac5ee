import type { ChatCompletion } from '#contract/completions.ts'
import type { Model } from '#contract/models.ts'
import type { Files } from '../../files/index.ts'
import type { Groups } from '../../groups/index.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller, Route, ServeOptions } from '../../lib/http.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import type { PluginsSettings } from '../plugins-settings.ts'
import type { Users } from '../../users/index.ts'
import type { AskedCall, ToolApproval } from '../ask-approval.ts'
import type { PluginContext } from '../plugin-context.ts'

type Fields = Readonly<Record<string, unknown>>

/** A question to a model alone; the pipeline's own type says the same. */
export interface HostQuestion {
  readonly origin: CallOrigin
  readonly body: unknown
  readonly isBare: boolean
}

/** The functions of tools under the names a model would be told. */
export interface HostBelt {
  readonly specs: readonly {
    readonly name: string
    readonly description?: string
    readonly parameters: Fields
  }[]
  call(
    call: { readonly id: string; readonly name: string; readonly arguments: Fields },
    run: { readonly signal: AbortSignal; readonly messages: CallOrigin['sent']['messages'] },
  ): Promise<{ readonly text: string; readonly isError?: boolean }>
  approve?(call: AskedCall, ask: () => Promise<ToolApproval>): Promise<'allow' | 'deny'>
  close?(): void | Promise<void>
}

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
  readonly complete: (question: HostQuestion) => Promise<ChatCompletion>
  readonly stream: (question: HostQuestion) => AsyncGenerator<CompletionFrame, void, void>
  /** Tools of any kind by their ids; those the caller may not use are left out. */
  readonly openTools: (
    origin: CallOrigin,
    ids: readonly string[],
  ) => HostBelt | null | Promise<HostBelt | null>
}

/** The same with the domain's own parts. */
export interface HostParts
  extends HostDependencies, Pick<PluginContext, 'store' | 'records' | 'access'> {
  readonly users: Users
  readonly settings: PluginsSettings
}
