import type { Connection } from '#contract/connections.ts'
import { translate } from '../../lib/i18n.ts'
import { presetOf } from './presets.ts'

type Named = Pick<Connection, 'name' | 'url' | 'origin' | 'overridden'>

function hostnameOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}

/**
 * Returns the name to show. The gateway names a connection of the environment after its host, which
 * says less than the name of the provider.
 */
export function nameOfConnection({ name, url, origin, overridden }: Named): string {
  const isGiven = origin !== 'environment' || overridden.includes('name')
  if (isGiven || name !== hostnameOf(url)) return name
  return presetOf(url)?.name ?? translate('connections.fromEnvironment', { host: name })
}

/** Returns the variable that a connection of the environment comes from. */
export const variableOf = ({ kind }: Pick<Connection, 'kind'>): string =>
  kind === 'runtime' ? 'LLMHOST_BASE_URLS' : 'OPENAI_API_BASE_URLS'
