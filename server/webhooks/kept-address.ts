import { isRecord } from '../lib/is-record.ts'

/** The settings a person's windows and programs keep here. */
interface KeptSettings {
  settings(userId: string): Promise<Record<string, unknown> | null>
  updateSettings(userId: string, settings: Record<string, unknown>): Promise<unknown>
}

/**
 * The address of a person's webhook, where the interface of the reference keeps it; empty for none.
 */
export async function readWebhookAddress(kept: KeptSettings, userId: string): Promise<string> {
  const ui = (await kept.settings(userId))?.['ui']
  const notifications = isRecord(ui) ? ui['notifications'] : null
  const url = isRecord(notifications) ? notifications['webhook_url'] : null
  return typeof url === 'string' ? url.trim() : ''
}

/** Keeps the address of a person's webhook beside their other settings. */
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
