import { codeErrorSchema } from '#contract/code.ts'
import { z } from '#contract/lazy-zod.ts'
import { parseJsonInSteps } from '../../lib/json/parse-json.ts'
import { runInTurns } from '../../lib/turns.ts'

const TEXT = 5 * 1024 * 1024

const resultSchema = z.object({
  status: z.enum(['ok', 'error']),
  stdout: z.string().max(TEXT),
  stderr: z.string().max(TEXT),
  result: z.string().max(200_000).nullable(),
  html: z.string().max(200_000).nullable(),
  error: codeErrorSchema.nullable(),
  pictures: z.array(z.string().max(TEXT)).max(50),
  files: z
    .array(z.object({ name: z.string().max(4096), size: z.number(), isTaken: z.boolean() }))
    .max(100),
})
export type CellResult = z.output<typeof resultSchema>

const reportSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('piece'),
    id: z.string(),
    name: z.string().max(4096),
    data: z.string(),
  }),
  z.object({ type: z.literal('result'), id: z.string(), result: resultSchema }),
  z.object({ type: z.literal('failed'), id: z.string(), reason: z.string().max(2000) }),
  z.object({ type: z.literal('memory'), id: z.string() }),
])
export type ReadReport = z.output<typeof reportSchema>

/** Length above which a line is parsed in slices, so that code cannot block other work. */
const LONG_LINE = 128 * 1024

async function parseLine(line: string): Promise<unknown> {
  if (line.length < LONG_LINE) return JSON.parse(line)
  return (await runInTurns(parseJsonInSteps(Buffer.from(line)))).value
}

/** Parses a line of a runner; returns null if it is forged by code. */
export async function readReport(line: string): Promise<ReadReport | null> {
  try {
    return reportSchema.safeParse(await parseLine(line)).data ?? null
  } catch {
    return null
  }
}
