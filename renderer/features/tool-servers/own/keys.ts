const PREFIX = 'tool-server-key:'

/**
 * Keys of tool servers the person added. They are needed in this window alone, so they stay in this
 * browser: the gateway, its database and its backups never see them, and signing out forgets them.
 */
export function readKey(id: string): string {
  try {
    return localStorage.getItem(PREFIX + id) ?? ''
  } catch {
    // Storage may be closed to this page.
    return ''
  }
}

/** Keeps a key; an empty one is forgotten. Throws where the browser keeps nothing for this page. */
export function keepKey(id: string, key: string): void {
  if (key === '') localStorage.removeItem(PREFIX + id)
  else localStorage.setItem(PREFIX + id, key)
}

export function forgetKeys(): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX)) localStorage.removeItem(name)
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}
