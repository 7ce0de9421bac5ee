import { readFileSync, readdirSync } from 'node:fs'

/**
 * A process of the app and its memory in kB: private, shared, and its proportional share of both,
 * which is less while other programs use the same libraries.
 */
export interface ProcessMemory {
  readonly kind: string
  readonly proportional: number
  readonly own: number
  readonly shared: number
}

const read = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8')

const parentOf = (pid: number): number => Number(read(pid, 'stat').split(') ')[1]!.split(' ')[1])

function kindOf(pid: number): string {
  const line = read(pid, 'cmdline').replaceAll('\0', ' ')
  if (line.includes('out/server/index.js')) return 'gateway'
  return /--type=([\w-]+)/.exec(line)?.[1] ?? 'main'
}

function sum(text: string, row: RegExp): number {
  return [...text.matchAll(row)].reduce((total, match) => total + Number(match[1]), 0)
}

/** Returns nothing for a process that ends while it is inspected. */
function unlessGone<Value>(look: () => Value): Value[] {
  try {
    return [look()]
  } catch {
    return []
  }
}

/** Returns the process with this id and all its descendants. */
function findTree(top: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const parents = new Map(all.flatMap((pid) => unlessGone(() => [pid, parentOf(pid)] as const)))
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === top || isBelow(parents.get(pid)))
  return all.filter(isBelow)
}

/** Returns the memory of the app's processes, as counted by the Linux kernel. */
export function readMemory(top: number): ProcessMemory[] {
  return findTree(top).flatMap((pid) =>
    unlessGone(() => {
      const rollup = read(pid, 'smaps_rollup')
      return {
        kind: kindOf(pid),
        proportional: sum(rollup, /^Pss:\s+(\d+)/gm),
        own: sum(rollup, /^Private_\w+:\s+(\d+)/gm),
        shared: sum(rollup, /^Shared_\w+:\s+(\d+)/gm),
      }
    }),
  )
}
