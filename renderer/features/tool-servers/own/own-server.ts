import { asText } from '../../../lib/as-text.ts'
import { toFields, type Fields } from '../../../lib/fields.ts'

/** A tool server that belongs to one user and is called by their window. */
export interface OwnServer {
  readonly id: string
  readonly name: string
  readonly url: string
  /** Path of its description, relative to the URL, or an absolute URL. */
  readonly path: string
  readonly authType: 'none' | 'bearer'
  readonly isEnabled: boolean
  /** Entry as stored in the settings, including fields of other clients. */
  readonly stored: Readonly<Record<string, unknown>>
}

export const DEFAULT_PATH = 'openapi.json'

/** Returns the URL of a tool server without a trailing slash; null if it is invalid. */
export function toAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '') return null
  return text.trim().replace(/\/+$/, '')
}

/**
 * Servers of other kinds, which a window cannot call, are ignored by this page, but kept in the
 * settings.
 */
function toOwnServer(stored: Fields): OwnServer[] {
  const url = toAddress(asText(stored['url']))
  const type = asText(stored['type']) || 'openapi'
  if (url === null || type !== 'openapi') return []
  const info = toFields(stored['info'])
  const path = asText(stored['path'])
  return [
    {
      id: asText(info['id']) || url,
      name: asText(info['name']) || new URL(url).host,
      url,
      path: path === '' ? DEFAULT_PATH : path,
      authType: stored['auth_type'] === 'bearer' ? 'bearer' : 'none',
      isEnabled: toFields(stored['config'])['enable'] !== false,
      stored,
    },
  ]
}

/** Reads `ui.toolServers` of a user's settings; if two have the same id, the first one is used. */
export function toOwnServers(stored: unknown): OwnServer[] {
  const servers = (Array.isArray(stored) ? stored : []).flatMap((entry) =>
    toOwnServer(toFields(entry)),
  )
  return servers.filter(({ id }, place) => servers.findIndex((other) => other.id === id) === place)
}

/** Returns the entry to store, without the key: that stays in this browser (see `keys.ts`). */
export const toStored = ({
  id,
  name,
  url,
  path,
  authType,
  isEnabled,
  stored,
}: OwnServer): Record<string, unknown> => ({
  ...stored,
  type: 'openapi',
  url,
  path,
  auth_type: authType,
  config: { ...toFields(stored['config']), enable: isEnabled },
  info: { ...toFields(stored['info']), id, name },
})

/** Returns the list with one entry replaced, added, or removed. */
export function replaceStored(list: unknown, id: string, next: OwnServer | null): unknown[] {
  const entries: unknown[] = Array.isArray(list) ? list : []
  const isIt = (entry: unknown): boolean => toOwnServer(toFields(entry))[0]?.id === id
  if (next === null) return entries.filter((entry) => !isIt(entry))
  return entries.some(isIt)
    ? entries.map((entry) => (isIt(entry) ? toStored(next) : entry))
    : [...entries, toStored(next)]
}
