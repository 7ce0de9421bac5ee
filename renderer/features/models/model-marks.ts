/** The user's own marks on models. */
export interface ModelMarks {
  /** Pins a model to the top of the list, or unpins it. */
  readonly togglePin: (id: string) => void
  /** Sets or unsets a model as the default of new chats. */
  readonly toggleDefault: (id: string) => void
}
