/** A model file and its name in calls. */
export interface FoundModel {
  readonly name: string
  readonly file: string
}
