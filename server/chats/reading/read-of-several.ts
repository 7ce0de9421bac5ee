interface OfChat {
  readonly chat_id: string
}

/**
 * Reads the rows of several chats in as few statements as their number allows. `read` returns rows
 * in the order of the chats' ids, so that only the last chat of a full reply may be incomplete. A
 * chat with more than `most` rows is left out.
 */
export async function readOfSeveral<Row extends OfChat>(
  chatIds: readonly string[],
  most: number,
  read: (chatIds: readonly string[], most: number) => Promise<readonly Row[]>,
): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>()
  const missing = new Set(chatIds)
  while (missing.size > 0) {
    const rows = await read([...missing], most + 1)
    const ofChats = Map.groupBy(rows, ({ chat_id }) => chat_id)
    const isAll = rows.length <= most
    const cut = isAll ? undefined : rows.at(-1)?.chat_id
    if (cut !== undefined) {
      const isLong = ofChats.get(cut)?.length === rows.length
      ofChats.delete(cut)
      if (isLong) missing.delete(cut)
    }
    for (const [id, ofChat] of ofChats) {
      found.set(id, ofChat)
      missing.delete(id)
    }
    if (isAll) {
      for (const id of missing) found.set(id, [])
      missing.clear()
    }
  }
  return found
}
