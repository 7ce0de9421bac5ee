import type { Files } from '../../files/index.ts'
import type { Groups } from '../../groups/index.ts'
import type { ServeOptions } from '../../lib/http.ts'
import type { Retrieval } from '../../retrieval/index.ts'
import type { LaterRooms } from '../later-rooms.ts'
import type { PluginsSettings } from '../plugins-settings.ts'
import type { Users } from '../../users/index.ts'
import type { PluginContext } from '../plugin-context.ts'

/** Services of the gateway available to plugin code. */
export interface HostDependencies {
  readonly groups: Groups
  readonly files: Files
  readonly requirePermitted: ServeOptions['requirePermitted']
  readonly retrieval: Pick<Retrieval, 'embed'>
}

/** Services of the gateway and of this domain that are available to plugin code. */
export interface HostParts
  extends HostDependencies, Pick<PluginContext, 'store' | 'records' | 'access'> {
  readonly users: Users
  readonly settings: PluginsSettings
  readonly later: LaterRooms
}
