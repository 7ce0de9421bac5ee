import { escapeAttribute } from '../tools/render-call.ts'
import type { RanCode } from './ran-code.ts'

/**
 * Returns more backticks than any run of them in the code, so that the code cannot close its own
 * block.
 */
function fenceFor(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((ticks) => ticks.length))
  return '`'.repeat(longest + 1)
}

/**
 * Renders a run as the block of an answer that clients collapse (docs/wire-format.md). Text that
 * could close the block is escaped.
 */
export function renderRun(code: string, told: string, ran: RanCode | null): string {
  const fence = fenceFor(code)
  const output = escapeAttribute(JSON.stringify(told))
  const attributes = `type="code_interpreter" done="true"${ran ? ` id="${escapeAttribute(ran.id)}"` : ''} duration="${ran?.result.seconds ?? 0}" output="${output}"`
  const safe = code.replaceAll('</details>', String.raw`<\/details>`)
  return `<details ${attributes}>\n<summary>Analyzed</summary>\n${fence}python\n${safe}\n${fence}\n</details>\n`
}
