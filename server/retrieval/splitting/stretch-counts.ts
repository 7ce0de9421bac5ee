const SLOTS = 1 << 18
const MOST = 150_000

/**
 * Numbers by 64 bits of a hash, in memory of a fixed size. Two stretches that share all of it share
 * the number too.
 */
export interface StretchCounts {
  /** 0 when it is not known. */
  get(hash: number, check: number): number
  set(hash: number, check: number, count: number): void
}

export function createStretchCounts(): StretchCounts {
  const hashes = new Uint32Array(SLOTS)
  const checks = new Int32Array(SLOTS)
  const counts = new Uint16Array(SLOTS)
  let size = 0

  /** The slot that has it, or the empty one where it belongs. */
  function find(hash: number, check: number): number {
    let slot = hash & (SLOTS - 1)
    while (counts[slot] !== 0 && (hashes[slot] !== hash || checks[slot] !== check))
      slot = (slot + 1) & (SLOTS - 1)
    return slot
  }

  return {
    get: (hash, check) => counts[find(hash, check)]!,
    set(hash, check, count) {
      if (size >= MOST) {
        counts.fill(0)
        size = 0
      }
      const slot = find(hash, check)
      hashes[slot] = hash
      checks[slot] = check
      counts[slot] = Math.min(count, 0xffff)
      size += 1
    },
  }
}
