import type { ToolServerInput } from '#contract/tool-servers.ts'
import { badRequest } from '../lib/errors.ts'

/** Ids for those that have none: their place in the list, as the line of the API does it. */
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
