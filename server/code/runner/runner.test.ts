import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import type { WorkerProcess } from '../../plugins/index.ts'
import type { RunnerReport } from './protocol.ts'
import { Runner, UNREADABLE, type Cell } from './runner.ts'

const TOO_MUCH = 'The code made its process send too much at once.'
const MEGABYTE = 1024 * 1024

/** A fake process whose output is set by the test. */
function startProcess() {
  const exits: ((reason: string) => void)[] = []
  const output = new PassThrough()
  const started: WorkerProcess = {
    pid: undefined,
    input: new Writable({ write: (_chunk, _encoding, done) => done() }),
    output,
    onPrinted: () => undefined,
    onExit: (listener) => void exits.push(listener),
    kill: () => end('it was ended'),
  }
  function end(reason: string): void {
    output.end()
    for (const tell of exits.splice(0)) tell(reason)
  }
  const write = (text: string): void => void output.write(text)
  return {
    runner: new Runner(started, MEGABYTE),
    write,
    say: (...reports: readonly RunnerReport[]) =>
      write(reports.map((report) => `${JSON.stringify(report)}\n`).join('')),
    end,
  }
}

const cell: Cell = {
  id: 'one',
  code: '1',
  outputLimit: 1000,
  fileLimit: MEGABYTE,
  files: [],
  timeoutMs: 20_000,
}
const never = new AbortController().signal
const result = {
  status: 'ok',
  stdout: '',
  stderr: '',
  result: null,
  html: null,
  error: null,
  pictures: [],
  files: [],
}

async function runCell() {
  const fake = startProcess()
  fake.say({ type: 'ready' })
  await fake.runner.ready
  return { ...fake, ended: fake.runner.run(cell, never) }
}

it('reads a long result, and what was written before the end of a process', async () => {
  const { ended, say } = await runCell()
  const stdout = 'x'.repeat(4 * MEGABYTE)
  say({ type: 'result', id: 'one', result: { ...result, stdout } })
  const outcome = await ended
  expect(outcome.kind === 'result' && outcome.result.stdout === stdout).toBe(true)
  const other = await runCell()
  other.say({ type: 'failed', id: 'one', reason: 'The runtime failed.' })
  other.end('it ended with exit code 1')
  expect(await other.ended).toEqual({ kind: 'failed', reason: 'The runtime failed.' })
})

const piece = (data: string): RunnerReport => ({ type: 'piece', id: 'one', name: 'a', data })

it.each<[string, readonly RunnerReport[], string]>([
  ['speaks of another cell', [{ type: 'result', id: 'two', result }], UNREADABLE],
  ['says again that it is ready', [{ type: 'ready' }], UNREADABLE],
  [
    'gives back very many small pieces',
    Array.from({ length: 300 }, () => piece('eA==')),
    'The code gave back more files than it may.',
  ],
])('code that %s ends its process', async (_, reports, reason) => {
  const { ended, say } = await runCell()
  say(...reports, { type: 'result', id: 'one', result })
  expect(await ended).toEqual({ kind: 'failed', reason })
})

it('code that speaks while it has no cell ends its process', async () => {
  const { runner, say } = startProcess()
  say({ type: 'ready' })
  await runner.ready
  say({ type: 'result', id: 'one', result })
  await runner.gone
  expect(runner.state).toBe('gone')
})

it('a line that does not end, ends its process; the rest is read by nobody', async () => {
  const { ended, write, say } = await runCell()
  for (let count = 0; count < 9; count += 1) write('x'.repeat(MEGABYTE))
  write('\n')
  say({ type: 'result', id: 'one', result })
  expect(await ended).toEqual({ kind: 'failed', reason: TOO_MUCH })
})
