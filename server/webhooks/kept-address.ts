import { isRecord } from '../lib/is-record.ts'

/** The settings a person's windows and programs keep here. */
interface KeptSettings {
  settings(userId: string): Record<string, unknown> | null
  updateSettings(userId: string, settings: Record<string, unknown>): unknown
}

/**
 * The address of a person's webhook, where the interface of the reference keeps it; empty for none.
 */
export function readWebhookAddress(kept: KeptSettings, userId: string): string {
  const ui = kept.settings(userId)?.['ui']
  const notifications = isRecord(ui) ? ui['notifications'] : null
  const url = isRecord(notifications) ? notifications['webhook_url'] : null
  return typeof url === 'string' ? url.trim() : ''
}

/** Keeps the address of a person's webhook beside their other settings. */
export function writeWebhookAddress(kept: KeptSettings, userId: string, url: string): void {
  const stored = kept.settings(userId)?.['ui']
  const ui = isRecord(stored) ? stored : {}
  const notifications = isRecord(ui['notifications']) ? ui['notifications'] : {}
  kept.updateSettings(userId, {
    ui: { ...ui, notifications: { ...notifications, webhook_url: url } },
  })
}
