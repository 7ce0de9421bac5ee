import { isRecord } from '../../lib/is-record.ts'
import { flatMapInOrder } from '../../lib/in-order.ts'
import type { UsableSkill } from '../../skills/index.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Exchange } from '../exchange.ts'
import type { ToolBelt, ToolResult, ToolSpec } from '../../extensions/tool-belt.ts'

export const SKILL_TOOL = 'view_skill'

/** Maximum number of skills; models do not choose well among more names. */
const MOST_SKILLS = 50
const LONGEST_DESCRIPTION = 500

type Skills = NonNullable<CompletionsParts['skills']>

const toIds = (value: unknown): string[] =>
  Array.isArray(value)
    ? [...new Set(value.filter((id): id is string => typeof id === 'string' && id !== ''))]
    : []

/** Reports in the status line of the answer that a skill is left out. */
export function tellLeftOut({ tell }: Pick<Exchange, 'tell'>, id: string): void {
  tell({
    type: 'status',
    data: {
      action: 'skill',
      name: id,
      description: `The skill "${id}" could not be used: it does not exist, is switched off, or you may not use it.`,
      done: true,
      error: true,
    },
  })
}

/** Returns the given skills that exist for the requesting user; reports the others as left out. */
export const findSkills = (
  skills: Skills,
  exchange: Exchange,
  ids: readonly string[],
): Promise<UsableSkill[]> =>
  flatMapInOrder(ids.slice(0, MOST_SKILLS), async (id) => {
    const skill = await skills.usable(exchange.caller, id)
    if (!skill) tellLeftOut(exchange, id)
    return skill ?? []
  })

/** Returns the ids of the skills in the model's preset. */
export const skillIdsOf = ({ resolved }: Exchange): string[] =>
  toIds(resolved.preset?.meta['skillIds'])

function toSpec(skills: readonly UsableSkill[]): ToolSpec {
  const lines = skills.map(
    ({ id, name, description }) =>
      `- ${id}: ${name}${description === '' ? '' : `. ${description.slice(0, LONGEST_DESCRIPTION)}`}`,
  )
  return {
    name: SKILL_TOOL,
    description:
      'Reads a skill: instructions and files for a kind of work. Read the one that fits before you begin such work, then follow it.\n' +
      `The skills are:\n${lines.join('\n')}`,
    parameters: {
      type: 'object',
      properties: {
        id: {
          type: 'string',
          enum: skills.map(({ id }) => id),
          description: 'Which skill to read.',
        },
        file: {
          type: 'string',
          description:
            'The path of one of its files, as its text lists them; leave it out for the text.',
        },
      },
      required: ['id'],
    },
  }
}

const failed = (text: string): ToolResult => ({ text, isError: true })

async function readText(skills: Skills, skill: UsableSkill): Promise<ToolResult> {
  const files = await skills.filesOf(skill)
  const list =
    files.length === 0
      ? ''
      : `\n\nFiles of this skill, each to be read with \`file\`:\n${files.map((path) => `- ${path}`).join('\n')}`
  return { text: `# ${skill.name}\n\n${skill.content}${list}` }
}

async function readFile(skills: Skills, skill: UsableSkill, path: string): Promise<ToolResult> {
  const bytes = await skills.fileOf(skill, path.replace(/^\.?\//, ''))
  if (!bytes) {
    const files = await skills.filesOf(skill)
    return failed(`The skill has no file "${path}". Its files: ${files.join(', ') || 'none'}.`)
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return failed(`The file "${path}" is no text, and cannot be read here.`)
  }
}

/**
 * Reads the skill a call names, in its current version and with the caller's current permissions.
 */
async function callSkill(
  skills: Skills,
  { caller }: Exchange,
  offered: readonly UsableSkill[],
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const { id, file } = isRecord(given) ? given : {}
  const known = offered.find((skill) => skill.id === id || skill.name === id)
  const skill = known && (await skills.usable(caller, known.id))
  if (!skill) {
    const names = offered.map((each) => each.id).join(', ')
    return failed(`There is no skill ${JSON.stringify(id ?? null)}. The skills are: ${names}.`)
  }
  return typeof file === 'string' && file !== ''
    ? readFile(skills, skill, file)
    : readText(skills, skill)
}

/**
 * Adds the skill-reading tool to the tools of a request. An existing tool of the same name is kept.
 */
export async function withSkillTool(
  skills: Skills,
  exchange: Exchange,
  belt: ToolBelt | null,
): Promise<ToolBelt | null> {
  const others = belt?.specs ?? []
  if (others.some(({ name }) => name === SKILL_TOOL)) return belt
  const offered = await findSkills(skills, exchange, skillIdsOf(exchange))
  if (offered.length === 0) return belt
  const titled = new Map(offered.map((skill) => [skill.id, skill.name]))
  return {
    specs: [...others, toSpec(offered)],
    originOf: (name) => (name === SKILL_TOOL ? `skill/${SKILL_TOOL}` : belt!.originOf(name)),
    isParallel: (name) => name === SKILL_TOOL || belt!.isParallel(name),
    approve: async (call, ask) =>
      call.name === SKILL_TOOL ? 'allow' : ((await belt!.approve?.(call, ask)) ?? 'allow'),
    async call(call, run) {
      if (call.name !== SKILL_TOOL) return belt!.call(call, run)
      const result = await callSkill(skills, exchange, offered, call.arguments)
      tellRead(exchange, titled, call.arguments['id'], result)
      return result
    },
    close: () => belt?.close?.(),
  }
}

/** Reports which skill was read, by its display name. */
function tellRead(
  exchange: Exchange,
  titled: ReadonlyMap<string, string>,
  id: unknown,
  { isError }: ToolResult,
): void {
  const name = titled.get(String(id))
  if (name === undefined || isError) return
  exchange.tell({
    type: 'status',
    data: { action: 'skill', name, description: `Read the skill "${name}".`, done: true },
  })
}
