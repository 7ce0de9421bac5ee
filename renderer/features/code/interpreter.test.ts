import { beforeEach, describe, expect, it, vi } from 'vitest'
import '../../ui/code-output/strings.ts'
import type { WorkerReport, WorkerRequest } from '#contract/python-frame.ts'
import { type CellRun, createInterpreter } from './interpreter.ts'

const value = {
  stdout: 'hi\n',
  stderr: '',
  result: null,
  html: null,
  pictures: [],
  error: null,
  files: [],
  tooLarge: [],
}
const limits = { seconds: 60, memory: 1, output: 100, file: 1 }

/** A frame whose workers report what the test defines. */
function makeFrame() {
  const lines = new Map<
    string,
    { requests: WorkerRequest[]; say: (report: WorkerReport) => void }
  >()
  const ended: string[] = []
  return {
    lines,
    ended,
    open: vi.fn(async (onPart: (part: number | null) => void) => onPart(1)),
    send(session: string, request: WorkerRequest, say: (report: WorkerReport) => void) {
      const line = lines.get(session) ?? { requests: [], say }
      line.requests.push(request)
      lines.set(session, { ...line, say })
    },
    end(session: string) {
      ended.push(session)
      lines.delete(session)
    },
  }
}

let frame: ReturnType<typeof makeFrame>
let fetchPackage: ReturnType<typeof vi.fn<(name: string) => Promise<ArrayBuffer | null>>>
let interpreter: ReturnType<typeof createInterpreter>
beforeEach(() => {
  frame = makeFrame()
  fetchPackage = vi.fn(async () => new ArrayBuffer(3))
  interpreter = createInterpreter(frame, fetchPackage)
})

function run(session: string, patch: Partial<CellRun> = {}) {
  const abort = new AbortController()
  const onProgress = vi.fn()
  const onOutput = vi.fn()
  const cell = {
    session,
    code: '1',
    files: [],
    limits,
    installed: [],
    signal: abort.signal,
    onProgress,
    onOutput,
    ...patch,
  }
  return { outcome: interpreter.run(cell), stop: () => abort.abort(), onProgress, onOutput }
}

const worker = async (session: string) => {
  await vi.waitFor(() => expect(frame.lines.has(session)).toBe(true))
  return frame.lines.get(session)!
}

describe('a cell', () => {
  it('says where it is, gives its output as it comes, and then what came of it', async () => {
    const { outcome, onProgress, onOutput } = run('c')
    const { say } = await worker('c')
    say({ type: 'phase', phase: 'running' })
    say({ type: 'output', pieces: [{ stream: 'stdout', text: 'hi\n' }] })
    say({ type: 'done', value })
    await expect(outcome).resolves.toMatchObject({ status: 'ok', stdout: 'hi\n' })
    expect(onProgress.mock.calls.map(([{ phase }]) => phase)).toEqual([
      'fetching',
      'loading',
      'running',
    ])
    expect(onOutput).toHaveBeenCalledWith([{ stream: 'stdout', text: 'hi\n' }])
    expect(frame.ended).toEqual([])
  })

  it('that is stopped ends its worker at once and keeps what it had said', async () => {
    const { outcome, stop } = run('c')
    const { say } = await worker('c')
    say({ type: 'output', pieces: [{ stream: 'stdout', text: 'so far' }] })
    stop()
    await expect(outcome).resolves.toMatchObject({ status: 'stopped', stdout: 'so far' })
    expect(frame.ended).toEqual(['c'])
    expect(interpreter.has('c')).toBe(false)
  })

  it('that is stopped while the runtime is still on its way does not wait for it', async () => {
    frame.open.mockImplementation(() => new Promise(() => undefined))
    const { outcome, stop } = run('c')
    await vi.waitFor(() => expect(frame.open).toHaveBeenCalled())
    stop()
    await expect(outcome).resolves.toMatchObject({ status: 'stopped' })
  })

  it('has its time from when it runs, not while the runtime starts', async () => {
    vi.useFakeTimers()
    const { outcome } = run('c')
    await vi.advanceTimersByTimeAsync(0)
    await vi.advanceTimersByTimeAsync(100_000)
    frame.lines.get('c')!.say({ type: 'phase', phase: 'running' })
    await vi.advanceTimersByTimeAsync(59_000)
    expect(frame.ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1_001)
    vi.useRealTimers()
    await expect(outcome).resolves.toMatchObject({ status: 'timeout' })
    expect(frame.ended).toEqual(['c'])
  })

  it('that says more than its limit, past the streams of Python, is ended', async () => {
    const { outcome } = run('c')
    const { say } = await worker('c')
    say({ type: 'output', pieces: [{ stream: 'stdout', text: 'x'.repeat(101) }] })
    await expect(outcome).resolves.toMatchObject({ status: 'failed', stdout: '' })
    expect(frame.ended).toEqual(['c'])
  })

  it('whose runtime ended says why, and the next one gets a fresh worker', async () => {
    const first = run('c')
    ;(await worker('c')).say({ type: 'ended', reason: 'memory', message: 'gone' })
    await expect(first.outcome).resolves.toMatchObject({ status: 'memory', reason: 'gone' })
    const second = run('c')
    ;(await worker('c')).say({ type: 'done', value })
    await expect(second.outcome).resolves.toMatchObject({ status: 'ok' })
  })

  it('with an error of Python keeps its variables', async () => {
    const { outcome } = run('c')
    ;(await worker('c')).say({
      type: 'done',
      value: { ...value, error: { name: 'E', message: '', line: 1, traceback: '' } },
    })
    await expect(outcome).resolves.toMatchObject({ status: 'error' })
    expect(frame.ended).toEqual([])
  })
})

describe('several cells', () => {
  it('of one chat run one after the other, also when the first is stopped', async () => {
    const first = run('c')
    const second = run('c')
    const third = run('c')
    const line = await worker('c')
    expect(second.onProgress).toHaveBeenCalledWith({ phase: 'queued' })
    expect(line.requests).toHaveLength(1)
    first.stop()
    await expect(first.outcome).resolves.toMatchObject({ status: 'stopped' })
    const next = await worker('c')
    expect(next.requests).toHaveLength(1)
    next.say({ type: 'done', value })
    await second.outcome
    await vi.waitFor(() => expect(frame.lines.get('c')?.requests).toHaveLength(2))
    frame.lines.get('c')!.say({ type: 'done', value })
    await expect(third.outcome).resolves.toMatchObject({ status: 'ok' })
  })

  it('of many chats leave the two used last; one that runs is never ended for room', async () => {
    const busy = run('busy')
    await worker('busy')
    for (const session of ['a', 'b', 'c']) {
      const { outcome } = run(session)
      ;(await worker(session)).say({ type: 'done', value })
      await outcome
    }
    expect(['busy', 'a', 'b', 'c'].filter((session) => interpreter.has(session))).toEqual([
      'busy',
      'c',
    ])
    ;(await worker('busy')).say({ type: 'done', value })
    await expect(busy.outcome).resolves.toMatchObject({ status: 'ok' })
  })
})

it('all sessions are ended when somebody signs out', async () => {
  for (const session of ['a', 'b']) {
    const { outcome } = run(session)
    ;(await worker(session)).say({ type: 'done', value })
    await outcome
  }
  interpreter.forgetAll()
  expect([frame.ended.toSorted(), interpreter.has('a'), interpreter.has('b')]).toEqual([
    ['a', 'b'],
    false,
    false,
  ])
})

describe('packages', () => {
  it('are fetched by the page and handed over; one that is not there is told so', async () => {
    fetchPackage.mockRejectedValueOnce(new Error('404'))
    const { outcome, onProgress } = run('c')
    const line = await worker('c')
    line.say({ type: 'need', name: 'numpy-2.0-cp314.whl' })
    line.say({ type: 'need', name: 'pandas-3.whl' })
    await vi.waitFor(() => expect(frame.lines.get('c')!.requests).toHaveLength(3))
    expect(frame.lines.get('c')!.requests.slice(1)).toEqual([
      { type: 'package', name: 'numpy-2.0-cp314.whl', bytes: null },
      { type: 'package', name: 'pandas-3.whl', bytes: new ArrayBuffer(3) },
    ])
    expect(onProgress).toHaveBeenCalledWith({ phase: 'package', name: 'numpy' })
    line.say({ type: 'done', value })
    await outcome
  })

  it.each(['../secret.whl', 'a/b.whl', 'x.js', '', 'a.whl?x', `${'a'.repeat(300)}.whl`])(
    'are files of packages and nothing else: %j',
    async (name) => {
      const { outcome } = run('c')
      ;(await worker('c')).say({ type: 'need', name })
      await expect(outcome).resolves.toMatchObject({ status: 'failed' })
      expect(fetchPackage).not.toHaveBeenCalled()
    },
  )
})
