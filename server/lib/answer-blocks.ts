const BLOCK_START = /<details type="(?:tool_calls|reasoning|code_interpreter)"/
const BLOCK_END = '</details>'

/** Whether a text shows calls. */
export const hasBlocks = (text: string): boolean =>
  text.includes('<details type="') && BLOCK_START.test(text)

/**
 * A text without the blocks that stand for calls, which are not what the model said. A block that
 * never ends stays.
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
