import { readdirSync, readFileSync } from 'node:fs'

/**
 * A process below a worker. Two with the same id but different start times are different processes.
 */
export interface Descendant {
  readonly pid: number
  readonly startedAt: string
}

/**
 * Index of the start time after the name in a line of `stat`; the name may contain spaces and
 * brackets.
 */
const START_FIELD = 19

/** Returns the numbers in the file of a thread; empty if the thread has ended meanwhile. */
function readNumbers(file: string): number[] {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}

/** Any thread may have started a process. Ended ones have no children. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readNumbers(`/proc/${pid}/task/${thread}/children`),
    )
  } catch {
    return []
  }
}

/** Returns the fields after the name; empty for an ended process. */
function readStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const startOf = (pid: number): string | null => readStat(pid)[START_FIELD] ?? null

/** Returns false for a process that has ended but has not been reaped yet. */
const isRunning = (pid: number): boolean => !['Z', 'X', undefined].includes(readStat(pid)[0])

/**
 * Returns the processes below one, up to a maximum; empty if the system does not provide this (only
 * Linux does). Workers adopt orphaned children (PROTOCOL.md), so no descendant is missing.
 */
export function findDescendants(pid: number, most: number): Descendant[] {
  const found: Descendant[] = []
  const waiting = [pid]
  while (waiting.length > 0 && found.length < most) {
    for (const child of childrenOf(waiting.shift()!)) {
      const startedAt = startOf(child)
      if (startedAt === null || found.length >= most) continue
      found.push({ pid: child, startedAt })
      waiting.push(child)
    }
  }
  return found
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has already ended.
  }
}

/** Ends processes that have not been replaced by others with the same id. */
export function endAll(descendants: readonly Descendant[]): void {
  for (const { pid, startedAt } of descendants)
    if (startOf(pid) === startedAt) signal(pid, 'SIGKILL')
}

/**
 * A second pass finds processes started during the first; with all of them stopped, a third finds
 * none.
 */
const MOST_PASSES = 5
const MOST_HELD = 5_000

/**
 * Ends everything below the head of a process group: suspended first, so that no further processes
 * are started meanwhile.
 */
export function endDescendants(head: number): void {
  if (findDescendants(head, 1).length === 0) return
  signal(-head, 'SIGSTOP')
  let held: Descendant[] = []
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const found = findDescendants(head, MOST_HELD)
    if (found.length === held.length) break
    for (const { pid } of found) signal(pid, 'SIGSTOP')
    held = found
  }
  endAll(held)
}

export interface ProcessWatch {
  /**
   * Ends the remaining processes that were last seen. Must be called when the process itself has
   * ended.
   */
  end(): void
}

const LOOK_MILLISECONDS = 500

/** Counts the processes below one repeatedly; 0 for no limit. */
export function watchDescendants({
  pid,
  most,
  onTooMany,
}: {
  pid: number
  most: number
  onTooMany: () => void
}): ProcessWatch {
  let seen: Descendant[] = []
  const timer = setInterval(() => {
    const found = findDescendants(pid, most > 0 ? most + 1 : MOST_HELD)
    // A process that ended has already lost its children, although the exit is reported later: the
    // children seen before must be ended.
    if (!isRunning(pid)) return
    seen = found
    if (most > 0 && seen.length > most) onTooMany()
  }, LOOK_MILLISECONDS).unref()
  return {
    end() {
      clearInterval(timer)
      endAll(seen)
    },
  }
}
