/** Chunks touch or overlap; gaps between them were white space. */
export function joinChunks(
  chunks: Iterable<{ readonly start: number; readonly end: number; readonly text: string }>,
): string {
  const parts: string[] = []
  let length = 0
  for (const { start, end, text } of chunks) {
    if (start > length) parts.push('\n'.repeat(start - length))
    length = Math.max(length, start)
    if (end <= length) continue
    parts.push(text.slice(length - start))
    length = end
  }
  return parts.join('')
}
