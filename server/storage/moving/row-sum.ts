import { createHash } from 'node:crypto'
import type { Row, Value } from './end.ts'

const toText = (value: Value): unknown =>
  Buffer.isBuffer(value) ? { bytes: createHash('sha256').update(value).digest('hex') } : value

const WRAP = 1n << 128n

/** Number of rows and a checksum over them that does not depend on their order. */
export class RowSum {
  #count = 0
  #sum = 0n

  get count(): number {
    return this.#count
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const digest = createHash('sha256')
        .update(JSON.stringify(row.map(toText)))
        .digest('hex')
      this.#sum = (this.#sum + BigInt(`0x${digest.slice(0, 32)}`)) % WRAP
      this.#count += 1
    }
  }

  equals(other: RowSum): boolean {
    return this.#count === other.#count && this.#sum === other.#sum
  }
}
