import { readdirSync, readFileSync } from 'node:fs'

/** Returns the descendants of a process. */
export function offspringOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === `${pid}`
    } catch {
      return false
    }
  })
  return children.map(Number).flatMap((child) => [child, ...offspringOf(child)])
}
