import type { ConnectionInput } from '#contract/connections.ts'
import type { LocalProgramId } from '#contract/programs.ts'
import { call, endpoints } from '../../../api/client.ts'

/** A change beside the connection: offline mode ends, or a program is started. */
export type AroundChange = 'online' | { readonly start: LocalProgramId }

/** What a mend changes: fields of the connection, or something around it. */
export type MendChange = Partial<ConnectionInput> | AroundChange

export const isAround = (change: MendChange): change is AroundChange =>
  change === 'online' || 'start' in change

export async function mendAround(change: AroundChange): Promise<void> {
  if (change === 'online')
    await call(endpoints.settings.update, { body: { values: { OFFLINE_MODE: false } } })
  else await call(endpoints.programs.start, { params: { program_id: change.start } })
}
