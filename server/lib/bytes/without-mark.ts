const MARK = Buffer.from('\uFEFF')

/** Returns the bytes of a text in UTF-8 without a byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === MARK[0] && bytes.subarray(0, MARK.length).equals(MARK)
    ? bytes.subarray(MARK.length)
    : bytes
