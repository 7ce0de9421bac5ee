/** Prefixes under which the message boxes of chats and channels store what is not sent yet. */
const PREFIXES = ['draft:', 'attachments:']

/** Deletes what was written and not sent, so that the next person at this browser does not see it. */
export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(localStorage))
      if (PREFIXES.some((prefix) => name.startsWith(prefix))) localStorage.removeItem(name)
  } catch {
    // Without storage there is nothing to delete.
  }
}
