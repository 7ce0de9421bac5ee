import { mkdtempSync, readFileSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError } from '../../lib/errors.ts'
import { poisonedDocuments } from '../../testing/poisoned-documents/index.ts'
import { Extraction, type ExtractedDocument } from './index.ts'

const MEBIBYTE = 1024 * 1024
const LONGEST_MILLISECONDS = 60_000
const PAGE_BYTES = 4096

const folder = mkdtempSync(path.join(tmpdir(), 'poisoned-'))
const extraction = new Extraction({ timeLimit: () => 50_000 })
let canary = ''
let calls = 0
const listener = createServer((socket) => {
  calls += 1
  socket.destroy()
})

beforeAll(async () => {
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  canary = `http://127.0.0.1:${(listener.address() as { port: number }).port}`
})

afterAll(async () => {
  await extraction.close()
  listener.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the child processes of this process. */
function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
}

function residentBytes(child: string): number {
  try {
    return Number(readFileSync(`/proc/${child}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

/** Measures the peak of the workers during the work; only where the system reports it. */
async function withPeak<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; peak: number }> {
  let peak = 0
  const timer =
    process.platform === 'linux'
      ? setInterval(() => (peak = Math.max(peak, ...children().map(residentBytes))), 10)
      : undefined
  try {
    return { result: await work(), peak }
  } finally {
    clearInterval(timer)
  }
}

/** Classifies a result: text, an error message for users, or an unexpected error. */
function judge(result: unknown): 'read' | 'refused' | 'unexpected' {
  if (!(result instanceof Error)) return 'read'
  const isSentence =
    result instanceof ServiceError && result.status === 422 && /^[A-Z].+\.$/.test(result.message)
  return isSentence ? 'refused' : 'unexpected'
}

function print(filename: string, took: number, peak: number, result: unknown): void {
  const words =
    result instanceof Error
      ? result.message
      : `${(result as ExtractedDocument).text.length} characters`
  if (process.env['EXTRACTION_FIGURES'])
    process.stdout.write(`${filename}\t${took} ms\t${Math.round(peak / MEBIBYTE)} MiB\t${words}\n`)
}

test.each(poisonedDocuments)(
  '$filename ends with text or a sentence, in time and within its memory',
  { timeout: LONGEST_MILLISECONDS + 20_000 },
  async ({ filename, build, outcome, absent }) => {
    const file = path.join(folder, filename)
    writeFileSync(file, build(canary))
    const started = Date.now()
    const { result, peak } = await withPeak(() =>
      extraction
        .extract(
          { path: file, filename, contentType: null },
          { signal: new AbortController().signal },
        )
        .catch((fault: unknown) => fault),
    )
    const took = Date.now() - started
    unlinkSync(file)
    print(filename, took, peak, result)
    expect(outcome === 'any' ? ['read', 'refused'] : [outcome]).toContain(judge(result))
    expect(result instanceof Error ? '' : (result as ExtractedDocument).text).not.toContain(
      absent ?? '\0',
    )
    expect(took).toBeLessThan(LONGEST_MILLISECONDS)
    expect(peak).toBeLessThan(512 * MEBIBYTE)
  },
)

test('nothing was called and nothing was written', () => {
  expect(calls).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})
