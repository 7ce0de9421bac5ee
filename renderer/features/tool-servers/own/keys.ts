const PREFIX = 'tool-server-key:'

/**
 * Keys of tool servers added by the user. Only this window needs them, so they are stored in this
 * browser: the gateway, its database and its backups never receive them, and signing out deletes
 * them.
 */
export function readKey(id: string): string {
  try {
    return localStorage.getItem(PREFIX + id) ?? ''
  } catch {
    // Storage may be unavailable to this page.
    return ''
  }
}

/** Stores a key; an empty one deletes it. Throws if the browser stores nothing for this page. */
export function keepKey(id: string, key: string): void {
  if (key === '') localStorage.removeItem(PREFIX + id)
  else localStorage.setItem(PREFIX + id, key)
}

export function forgetKeys(): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX)) localStorage.removeItem(name)
  } catch {
    // Without storage there is nothing to delete.
  }
}
