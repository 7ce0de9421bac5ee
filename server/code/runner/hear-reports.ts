import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LineScanner } from '../../lib/bytes/lines.ts'
import { turnWhenLong } from '../../lib/turns.ts'
import { readReport, type ReadReport } from './read-report.ts'

const MEBIBYTE = 1024 * 1024
const LONGEST_LINE = 8 * MEBIBYTE
const SECOND = 1000
/** Bytes that a process may send per second; one that sends more has to wait. */
const MOST_IN_A_SECOND = 32 * MEBIBYTE

export interface ReportListener {
  /** Receives a report; null for a line forged by code. */
  hear(report: ReadReport | null): void
  /** Called if a line exceeds the maximum length. */
  refuse(): void
  /** Once false, the rest is discarded unread. */
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
 * Passes the reports of a code process to the listener one at a time, and lets other work run in
 * between, since the code controls their amount. Always reads to the end.
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
