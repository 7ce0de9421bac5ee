/** A body tests look into without saying its whole shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
export type AnyShape = any
