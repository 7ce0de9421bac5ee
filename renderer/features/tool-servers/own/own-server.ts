/** A tool server that belongs to one person and is called by their window. */
export interface OwnServer {
  readonly id: string
  readonly name: string
  readonly url: string
  /** Of its description: below the address, or an address of its own. */
  readonly path: string
  readonly authType: 'none' | 'bearer'
  readonly isEnabled: boolean
  /** As it stands in the settings, with what other clients keep there. */
  readonly stored: Readonly<Record<string, unknown>>
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const DEFAULT_PATH = 'openapi.json'

/** An address of a tool server without the slash at its end; null for what is none. */
export function toAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '') return null
  return text.trim().replace(/\/+$/, '')
}

/**
 * Servers of other kinds, which a window cannot call, are nothing this page knows of; they stay in
 * the settings.
 */
function toOwnServer(stored: Fields): OwnServer[] {
  const url = toAddress(textOf(stored['url']))
  const type = textOf(stored['type']) || 'openapi'
  if (url === null || type !== 'openapi') return []
  const info = fieldsOf(stored['info'])
  const path = textOf(stored['path'])
  return [
    {
      id: textOf(info['id']) || url,
      name: textOf(info['name']) || new URL(url).host,
      url,
      path: path === '' ? DEFAULT_PATH : path,
      authType: stored['auth_type'] === 'bearer' ? 'bearer' : 'none',
      isEnabled: fieldsOf(stored['config'])['enable'] !== false,
      stored,
    },
  ]
}

/** Reads `ui.toolServers` of the settings of a person; of two with one id the first counts. */
export function toOwnServers(stored: unknown): OwnServer[] {
  const servers = (Array.isArray(stored) ? stored : []).flatMap((entry) =>
    toOwnServer(fieldsOf(entry)),
  )
  return servers.filter(({ id }, place) => servers.findIndex((other) => other.id === id) === place)
}

/** What is stored of it. A key is not: it stays in this browser (see `keys.ts`). */
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
  config: { ...fieldsOf(stored['config']), enable: isEnabled },
  info: { ...fieldsOf(stored['info']), id, name },
})

/** The list with one put in its place, added, or taken out. */
export function replaceStored(list: unknown, id: string, next: OwnServer | null): unknown[] {
  const entries: unknown[] = Array.isArray(list) ? list : []
  const isIt = (entry: unknown): boolean => toOwnServer(fieldsOf(entry))[0]?.id === id
  if (next === null) return entries.filter((entry) => !isIt(entry))
  return entries.some(isIt)
    ? entries.map((entry) => (isIt(entry) ? toStored(next) : entry))
    : [...entries, toStored(next)]
}
