const BLOCK_START = /<details type="(?:tool_calls|reasoning|code_interpreter)"/
const BLOCK_END = '</details>'

/** Returns true if a text contains call blocks. */
export const hasBlocks = (text: string): boolean =>
  text.includes('<details type="') && BLOCK_START.test(text)

/**
 * Returns a text without the blocks that display calls, which are not part of the model's text. An
 * unclosed block is kept.
 */
export function withoutBlocks(text: string): string {
  let rest = text
  let kept = ''
  for (let start = rest.search(BLOCK_START); start !== -1; start = rest.search(BLOCK_START)) {
    const end = rest.indexOf(BLOCK_END, start)
    if (end === -1) break
    kept += rest.slice(0, start)
    rest = rest.slice(end + BLOCK_END.length).replace(/^\n/, '')
  }
  return kept === '' && rest === text ? text : (kept + rest).trim()
}
