import type { Settings } from './gateway-settings.ts'

/**
 * Returns true if outgoing requests are restricted: sealed mode implies offline mode, and refuses
 * the rest too.
 */
export const isOffline = (settings: Settings<'OFFLINE_MODE' | 'SEALED_MODE'>): boolean =>
  settings.get('SEALED_MODE') || settings.get('OFFLINE_MODE')
