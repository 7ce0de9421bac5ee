/** What a person notes about models for themselves. */
export interface ModelMarks {
  /** Puts a model in front of the list, or back into its place. */
  readonly togglePin: (id: string) => void
  /** Begins new chats with a model, or no longer. */
  readonly toggleDefault: (id: string) => void
}
