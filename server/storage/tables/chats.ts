/** Tables of the chats domain as Kysely sees them. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by the domain
export interface ChatsTables {}
