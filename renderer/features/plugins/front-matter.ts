/** What the text at the head of a source says about it. */
export interface FrontMatter {
  readonly title: string
  readonly description: string
}

const HEAD = /^\s*(?:"""|''')([\s\S]*?)(?:"""|''')/
const FIELD = /^\s*([a-z_]+)\s*:\s*(.*)$/i

/**
 * Reads title and description of a source, as plugins of the community carry them; empty where
 * there are none.
 */
export function readFrontMatter(source: string): FrontMatter {
  const fields = new Map<string, string>()
  for (const line of (HEAD.exec(source)?.[1] ?? '').split('\n')) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    if (name !== '' && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
  }
  return { title: fields.get('title') ?? '', description: fields.get('description') ?? '' }
}

/**
 * The name a plugin has after its source changed: what somebody typed stays, else it is called as
 * its source says.
 */
export function followTitle(name: string, before: string, after: string): string {
  const isOwn = name.trim() !== '' && name !== readFrontMatter(before).title
  return isOwn ? name : readFrontMatter(after).title || name
}
