import { isRecord } from '../lib/is-record.ts'

/** Reason why a folder is not a skill; the message is meant for users. */
export class SkillFolderError extends Error {}

/** Content of `SKILL.md`. */
export interface SkillText {
  readonly name: string
  readonly description: string
  readonly content: string
}

const FRONT = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const LONGEST_FRONT = 20_000

async function readFront(text: string): Promise<Record<string, unknown>> {
  const { parseDocument } = await import('yaml')
  // Aliases could expand a few lines to millions.
  const document = parseDocument(text, { merge: false, schema: 'core', uniqueKeys: true })
  const [error] = document.errors
  if (error)
    throw new SkillFolderError(
      `The front matter of SKILL.md is not YAML: ${error.message.split('\n')[0]}`,
    )
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 0 })
  } catch {
    throw new SkillFolderError('The front matter of SKILL.md uses aliases, which are not read.')
  }
  if (!isRecord(value))
    throw new SkillFolderError('The front matter of SKILL.md has to say `name` and `description`.')
  return value
}

/**
 * Parses `SKILL.md`: `name` and `description` between two lines of `---`, then the instructions.
 */
export async function readSkillText(text: string): Promise<SkillText> {
  const plain = text.replace(/^\uFEFF/, '')
  const [whole, front] = FRONT.exec(plain.slice(0, LONGEST_FRONT)) ?? []
  if (whole === undefined || front === undefined)
    throw new SkillFolderError(
      'SKILL.md has to begin with its front matter: `name` and `description` between two lines of ---.',
    )
  const { name, description } = await readFront(front)
  if (typeof name !== 'string' || name.trim() === '')
    throw new SkillFolderError('The front matter of SKILL.md has no `name`.')
  if (typeof description !== 'string' || description.trim() === '')
    throw new SkillFolderError('The front matter of SKILL.md has no `description`.')
  return {
    name: name.trim(),
    description: description.trim(),
    content: plain.slice(whole.length).replace(/^(?:[ \t]*\r?\n)+/, ''),
  }
}

/** The inverse of `readSkillText`. */
export async function writeSkillText({ name, description, content }: SkillText): Promise<string> {
  const { stringify } = await import('yaml')
  return `---\n${stringify({ name, description }, { lineWidth: 0 })}---\n\n${content}`
}
