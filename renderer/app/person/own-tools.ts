import { socket } from '../../api/socket.ts'
import { toolsStore } from '../../features/chat/tools/tools-store.ts'
import { readInterface, saveInterface } from '../../features/settings/preferences-store.ts'
import { type OwnServer, replaceStored } from '../../features/tool-servers/own/own-server.ts'
import { OwnServers } from '../../features/tool-servers/own/own-servers.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { mayHaveOwnTools } from './permissions.ts'
import { preferencesStore, sessionStore } from '../stores.ts'

const PREFIX = 'direct:'
const KEY = 'toolServers'

const readOwn = (): unknown => readInterface(preferencesStore, KEY)

/** Tool servers of the signed-in user, called by this window. */
export const ownServers = new OwnServers((frame) => socket.send(frame))

/** Returns servers as a request names them and reports those that are unavailable. */
async function describe(toolIds: readonly string[]): Promise<Record<string, unknown>[]> {
  const ids = toolIds.map((id) => id.slice(PREFIX.length))
  if (ids.length === 0) return []
  const described = await ownServers.describe(ids)
  const { servers, states } = ownServers.store.getState()
  for (const { id, name } of servers) {
    const problem = ids.includes(id) ? states[id]?.problem : null
    if (problem)
      toast({ tone: 'danger', text: translate('toolServers.own.leftOut', { name, problem }) })
  }
  return described
}

/** Adds them to the tool picker of chats. */
function offer(): void {
  const { servers, states } = ownServers.store.getState()
  const own = servers
    .filter(({ isEnabled }) => isEnabled)
    .map(({ id, name }) => ({ id: PREFIX + id, name, problem: states[id]?.problem ?? null }))
  toolsStore.setState({ own, describeOwn: describe })
}

/** Applies the servers from the settings, once those are loaded. */
export function takeOwnServers(): void {
  if (mayHaveOwnTools(sessionStore.getState())) ownServers.take(readOwn())
}

/** Replaces or adds a server; removes it for null. */
export async function changeOwnServer(id: string, next: OwnServer | null): Promise<void> {
  await saveInterface(preferencesStore, KEY, replaceStored(readOwn(), id, next))
  takeOwnServers()
}

/** Keeps the picker in step; returns the function that ends it. */
export const followOwnServers = (): (() => void) => ownServers.store.subscribe(offer)
