/** A model file and the name calls know it by. */
export interface FoundModel {
  readonly name: string
  readonly file: string
}
