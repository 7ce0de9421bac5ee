/** Length of a chunk in UTF-16 units: escaping and sending one takes well below a millisecond. */
const PIECE_LENGTH = 64 * 1024

/** Splits a text into chunks, never between the two halves of a surrogate pair. */
export function* splitText(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + PIECE_LENGTH, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    yield text.slice(start, end)
    start = end
  }
}
