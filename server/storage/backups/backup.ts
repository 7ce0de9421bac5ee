/** A copy of the database, taken before a change of its schema or once a day. */
export interface Backup {
  readonly path: string
  readonly takenAt: Date
  /** `daily`, `manual`, or the change it was made before. */
  readonly label: string
}
