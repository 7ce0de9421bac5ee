import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DIGEST_HEADER, FILE_HEADER } from '../../server/engine/program/protocol.ts'
import type { CancelReport, TimedEngineReady } from './timed-engine.ts'

const TOKEN = 'bench'

export interface CancelledCall {
  readonly prompt: string
  /** The caller leaves after the first text, or this many milliseconds after its question. */
  readonly leaveAfter: 'first text' | number
}

/** Has calls of an engine of its own left by their callers; returns what the engine reports. */
export async function cancelCalls(
  file: string,
  calls: readonly CancelledCall[],
): Promise<CancelReport[]> {
  const engine = fork(path.join(import.meta.dirname, 'timed-engine.ts'), [TOKEN], {
    execArgv: ['--no-warnings'],
  })
  try {
    const [{ port }] = (await once(engine, 'message')) as [TimedEngineReady]
    const reports: CancelReport[] = []
    // The first one loads the model.
    await leave(port, file, { prompt: 'Hello', leaveAfter: 'first text' })
    await once(engine, 'message')
    for (const call of calls) {
      const reported = once(engine, 'message')
      await leave(port, file, call)
      reports.push(((await reported) as [CancelReport])[0])
    }
    return reports
  } finally {
    engine.kill()
  }
}

async function leave(
  port: number,
  file: string,
  { prompt, leaveAfter }: CancelledCall,
): Promise<void> {
  const sent = request({
    port,
    method: 'POST',
    path: '/api/generate',
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      [FILE_HEADER]: encodeURIComponent(file),
      [DIGEST_HEADER]: 'bench',
    },
  })
  sent.on('error', () => undefined)
  sent.end(JSON.stringify({ model: 'tiny', prompt, raw: true, options: { num_predict: 100_000 } }))
  if (leaveAfter === 'first text') {
    const [reply] = await once(sent, 'response')
    await once(reply, 'data')
  } else await sleep(leaveAfter)
  sent.destroy()
}
