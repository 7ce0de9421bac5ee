import type { Settings } from './gateway-settings.ts'

/** Whether little or nothing may be called: sealed mode is offline mode, and refuses the rest too. */
export const isOffline = (settings: Settings<'OFFLINE_MODE' | 'SEALED_MODE'>): boolean =>
  settings.get('SEALED_MODE') || settings.get('OFFLINE_MODE')
