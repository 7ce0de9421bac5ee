import { readdirSync, readFileSync } from 'node:fs'

/** A process below a worker. Two with one id that started at different times are not the same. */
export interface Descendant {
  readonly pid: number
  readonly startedAt: string
}

/**
 * Where the start time stands behind the name in a line of `stat`, which may hold spaces and
 * brackets itself.
 */
const START_FIELD = 19

/** What the file of a thread lists; nothing when the thread has ended meanwhile. */
function readNumbers(file: string): number[] {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}

/** Any thread may have started a process. Gone ones have no children. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readNumbers(`/proc/${pid}/task/${thread}/children`),
    )
  } catch {
    return []
  }
}

/** What stands behind the name; empty for a process that is gone. */
function readStat(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const startOf = (pid: number): string | null => readStat(pid)[START_FIELD] ?? null

/** Not so for a process that has ended and only waits for that to be noticed. */
const isRunning = (pid: number): boolean => !['Z', 'X', undefined].includes(readStat(pid)[0])

/**
 * The processes below one, at most so many; none where the system does not tell (only Linux does).
 * Workers adopt what their children leave behind (PROTOCOL.md), so nothing that was started below
 * them is missing.
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
    // It is gone already.
  }
}

/** Ends processes that are still the same. */
export function endAll(descendants: readonly Descendant[]): void {
  for (const { pid, startedAt } of descendants)
    if (startOf(pid) === startedAt) signal(pid, 'SIGKILL')
}

/**
 * A second pass finds what was started during the first; with everything held, a third finds
 * nothing new.
 */
const MOST_PASSES = 5
const MOST_HELD = 5_000

/**
 * Ends everything below the head of a process group: held first, so that nothing starts more of it
 * meanwhile.
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
   * Ends what is left of the processes that were last seen. To be called when the process itself is
   * gone.
   */
  end(): void
}

const LOOK_MILLISECONDS = 500

/** Counts the processes below one again and again; 0 for no limit. */
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
    // One that ended has lost its children already, although it is only told of later: those seen
    // before are to be ended.
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
