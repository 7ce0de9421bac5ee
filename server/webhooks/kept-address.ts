import { isRecord } from '../lib/is-record.ts'
import type { Users } from '../users/index.ts'

/** The address of a person's webhook, where the interface of the reference keeps it; empty for none. */
export function readWebhookAddress(users: Users, userId: string): string {
  const ui = users.settings(userId)?.['ui']
  const notifications = isRecord(ui) ? ui['notifications'] : null
  const url = isRecord(notifications) ? notifications['webhook_url'] : null
  return typeof url === 'string' ? url.trim() : ''
}

/** Keeps the address of a person's webhook beside their other settings. */
export function writeWebhookAddress(users: Users, userId: string, url: string): void {
  const stored = users.settings(userId)?.['ui']
  const ui = isRecord(stored) ? stored : {}
  const notifications = isRecord(ui['notifications']) ? ui['notifications'] : {}
  users.updateSettings(userId, { ui: { ...ui, notifications: { ...notifications, webhook_url: url } } })
}
