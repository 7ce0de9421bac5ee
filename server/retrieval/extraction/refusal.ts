/** Why a document cannot be read, as a sentence for the person it belongs to. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
