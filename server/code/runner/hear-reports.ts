import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LineScanner } from '../../lib/lines.ts'
import { turnWhenLong } from '../../lib/turns.ts'
import { readReport, type ReadReport } from './read-report.ts'

const MEBIBYTE = 1024 * 1024
const LONGEST_LINE = 8 * MEBIBYTE
const SECOND = 1000
/** A process that says more in a second waits, however much it has to say. */
const MOST_IN_A_SECOND = 32 * MEBIBYTE

export interface ReportListener {
  /** Null for a line that code made up. */
  hear(report: ReadReport | null): void
  /** A line has become longer than any may be. */
  refuse(): void
  /** Once false, the rest is let go unread. */
  isBelieved(): boolean
}

function linesOf(scanner: LineScanner, chunk: Buffer): string[] | null {
  try {
    return scanner.push(chunk)
  } catch {
    return null
  }
}

/**
 * Tells what a process of code says, one report after the other, while others are served in
 * between: it is as much as code wants it to be. Reads to the end in any case.
 */
export async function hearReports(output: Readable, listener: ReportListener): Promise<void> {
  const scanner = new LineScanner(LONGEST_LINE)
  let [since, bytes] = [performance.now(), 0]
  for await (const chunk of output as AsyncIterable<Buffer>) {
    if (!listener.isBelieved()) continue
    const lines = linesOf(scanner, chunk)
    if (lines === null) listener.refuse()
    for (const line of lines ?? []) {
      if (!listener.isBelieved()) break
      listener.hear(await readReport(line))
      await turnWhenLong()
    }
    const passed = performance.now() - since
    bytes += chunk.length
    if (passed < SECOND && bytes < MOST_IN_A_SECOND) continue
    if (passed < SECOND) await sleep(SECOND - passed, undefined, { ref: false })
    ;[since, bytes] = [performance.now(), 0]
  }
}
