import path from 'node:path'
import { badRequest, upstreamFailed } from '../../lib/errors.ts'
import { because } from '../../lib/outgoing/purpose.ts'
import type { PluginContext } from '../plugin-context.ts'

const REPOSITORY_PAGE = /^https:\/\/github\.com\/([^/]+)\/([^/]+)\/(blob|tree)\/(.+)$/
const SUCCESS_END = 300
const NOT_NAMES = /[^A-Za-z0-9_]+/g
const GENERIC_NAMES = new Set(['main', 'index', '__init__'])

/** Returns the file shown by a repository page; a folder means the `main.py` in it. */
function toFileAddress(address: string): string {
  const page = REPOSITORY_PAGE.exec(address.trim())
  if (!page) return address.trim()
  const [, owner, repository, kind, rest] = page
  const file = kind === 'tree' ? `${rest!.replace(/\/$/, '')}/main.py` : rest!
  return `https://raw.githubusercontent.com/${owner}/${repository}/refs/heads/${file}`
}

/** Returns the last descriptive part of a URL, as a name for the plugin. */
function nameOf(address: string): string {
  const parts = new URL(address).pathname.split('/').filter(Boolean)
  const names = parts
    .map((part) => path.posix.basename(part, '.py').replaceAll(NOT_NAMES, '_'))
    .filter((name) => name !== '')
  return names.findLast((name) => !GENERIC_NAMES.has(name)) ?? 'plugin'
}

/** Fetches a source; stores and runs nothing. */
export async function loadAddress(
  { guardedFetch }: Pick<PluginContext, 'guardedFetch'>,
  address: string,
  signal: AbortSignal,
): Promise<{ name: string; content: string }> {
  const file = toFileAddress(address)
  if (!URL.canParse(file)) throw badRequest('This is not an address. It must begin with https://.')
  const headers = { accept: 'text/plain, text/x-python, */*' }
  const reply = await because({ kind: 'plugin' }, () =>
    guardedFetch.fetch(file, { headers }, signal),
  )
  if (reply.status >= SUCCESS_END)
    throw upstreamFailed(
      `The address answered with status ${reply.status}. Check it and try again.`,
    )
  const content = reply.bytes.toString('utf8')
  if (content.trim() === '' || content.includes('\0'))
    throw badRequest('There is no Python source code at this address.')
  return { name: nameOf(file), content }
}
