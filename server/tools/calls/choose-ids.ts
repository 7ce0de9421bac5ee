import type { ToolServerInput } from '#contract/tool-servers.ts'
import { badRequest } from '../../lib/errors.ts'

/** Assigns ids to entries without one: their index in the list, like the reference system. */
export function chooseIds(inputs: readonly ToolServerInput[]): string[] {
  const given = new Set(inputs.map(({ info }) => info.id).filter((id) => id !== ''))
  let next = 0
  const ids = inputs.map(({ info }, index) => {
    if (info.id !== '') return info.id
    for (next = Math.max(next, index); given.has(String(next)); next += 1);
    return String(next++)
  })
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined)
    throw badRequest(`Two tool servers have the id "${twice}". Give one of them another.`)
  return ids
}
