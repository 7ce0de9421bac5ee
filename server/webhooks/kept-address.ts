import { isRecord } from '../lib/is-record.ts'

/** The settings that a user's windows and clients store here. */
interface KeptSettings {
  settings(userId: string): Promise<Record<string, unknown> | null>
  updateSettings(userId: string, settings: Record<string, unknown>): Promise<unknown>
}

/**
 * Returns the URL of a user's webhook, stored where the UI of the reference system stores it; empty
 * for none.
 */
export async function readWebhookAddress(kept: KeptSettings, userId: string): Promise<string> {
  const ui = (await kept.settings(userId))?.['ui']
  const notifications = isRecord(ui) ? ui['notifications'] : null
  const url = isRecord(notifications) ? notifications['webhook_url'] : null
  return typeof url === 'string' ? url.trim() : ''
}

/** Stores the URL of a user's webhook with their other settings. */
export async function writeWebhookAddress(
  kept: KeptSettings,
  userId: string,
  url: string,
): Promise<void> {
  const stored = (await kept.settings(userId))?.['ui']
  const ui = isRecord(stored) ? stored : {}
  const notifications = isRecord(ui['notifications']) ? ui['notifications'] : {}
  await kept.updateSettings(userId, {
    ui: { ...ui, notifications: { ...notifications, webhook_url: url } },
  })
}
