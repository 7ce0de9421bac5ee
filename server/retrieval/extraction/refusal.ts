/** Reason why a document cannot be read, as a sentence for its owner. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
