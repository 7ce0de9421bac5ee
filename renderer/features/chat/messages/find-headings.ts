export interface Heading {
  readonly level: number
  readonly text: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,4})\s+(.+?)\s*#*\s*$/

/** Returns the headings of an answer in Markdown, in order; code blocks are ignored. */
export function findHeadings(text: string): readonly Heading[] {
  const found: Heading[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (mark) {
      if (fence === null) fence = mark
      else if (mark.startsWith(fence)) fence = null
      continue
    }
    const [, signs = '', words = ''] = (fence === null && HEADING.exec(line)) || []
    if (words !== '')
      found.push({ level: signs.length, text: words.replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1') })
  }
  return found
}
