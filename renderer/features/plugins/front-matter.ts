/** Metadata in the header of a source. */
export interface FrontMatter {
  readonly title: string
  readonly description: string
}

const HEAD = /^\s*(?:"""|''')([\s\S]*?)(?:"""|''')/
const FIELD = /^\s*([a-z_]+)\s*:\s*(.*)$/i

/**
 * Parses title and description in the header of a source, as used by community plugins; empty if
 * missing.
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
 * Returns the name of a plugin after its source changed: a typed name is kept, otherwise the
 * source's title is used.
 */
export function followTitle(name: string, before: string, after: string): string {
  const isOwn = name.trim() !== '' && name !== readFrontMatter(before).title
  return isOwn ? name : readFrontMatter(after).title || name
}
