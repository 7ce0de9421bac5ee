/** A conversation nothing is stored of, by the id its window gave it. */
export const isTemporary = (chatId: string): boolean => /^(local|temporary):/.test(chatId)
