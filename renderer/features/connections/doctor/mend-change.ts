import type { ConnectionInput } from '#contract/connections.ts'
import type { LocalProgramId } from '#contract/programs.ts'
import { call, endpoints } from '../../../api/client.ts'

/** A change outside the connection: disabling offline mode, or starting a runtime. */
export type AroundChange = 'online' | { readonly start: LocalProgramId }

/** Change made by a fix: fields of the connection, or something outside it. */
export type MendChange = Partial<ConnectionInput> | AroundChange

export const isAround = (change: MendChange): change is AroundChange =>
  change === 'online' || 'start' in change

export async function mendAround(change: AroundChange): Promise<void> {
  if (change === 'online')
    await call(endpoints.settings.update, { body: { values: { OFFLINE_MODE: false } } })
  else await call(endpoints.programs.start, { params: { program_id: change.start } })
}
