/** A body that tests access without declaring its full type. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
export type AnyShape = any
