import type { Logger } from '../../lib/logger.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { Users } from '../../users/index.ts'
import type { AnswerHost, PluginKey } from '../host-request.ts'
import type { Environments } from '../python/environments.ts'
import type { Records } from '../records.ts'
import type { PluginRecord } from '../store.ts'
import type { Supervisor } from '../worker/supervisor.ts'

/** A source with its author, stored or not yet. */
export type Source = PluginKey & Pick<PluginRecord, 'content' | 'authorId'>

/** A source that may have packages it does not require itself. */
export type NewSource = Loadable & { readonly requirements?: readonly string[] }

export interface LoaderDependencies {
  readonly records: Records
  readonly users: Pick<Users, 'get'>
  readonly environments: Environments
  readonly supervisor: Supervisor
  readonly secrets: Secrets
  readonly answerHost: AnswerHost
  readonly log: Logger
}

/** A source to be loaded. */
export type Loadable = Source & Pick<PluginRecord, 'valves'>
