/** Returns true for a conversation that is not stored, recognised by the id its window assigned. */
export const isTemporary = (chatId: string): boolean => /^(local|temporary):/.test(chatId)
