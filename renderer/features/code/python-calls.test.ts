import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerFrame } from '#contract/events.ts'
import type { PythonCall } from '#contract/code.ts'
import type { CellOutcome, CellRun } from './interpreter.ts'
import '../../ui/code-output/strings.ts'
import { createPythonCalls } from './python-calls.ts'

const outcome: CellOutcome = {
  status: 'ok',
  stdout: '42\n',
  stderr: '',
  result: '7',
  html: null,
  pictures: [],
  error: null,
  files: [],
  tooLarge: [],
  reason: '',
  seconds: 0.1,
}
const call = (data: unknown): ServerFrame => ({
  type: 'call',
  call_id: 'c1',
  chat_id: 'chat',
  message_id: 'm',
  // A plugin may send the same call with any data.
  data: { type: 'execute:python', data: data as PythonCall },
})
const data = {
  id: 'r',
  code: 'print(42)',
  session_id: 's',
  files: [{ id: 'f1', name: 'in.csv' }],
  timeout: 30,
}
const limits = { seconds: 60, memory: 1, output: 100, file: 1 }

const run = vi.fn<(run: CellRun) => Promise<CellOutcome>>()
const keepFile = vi.fn(async (_name: string, bytes: Uint8Array) => ({
  id: `id-${bytes.length}`,
  size: bytes.length,
}))
const readFiles = vi.fn(async () => [{ name: 'in.csv', bytes: new Uint8Array(2) }])
const send = vi.fn(() => true)
const calls = createPythonCalls({
  interpreter: { run, forget: vi.fn(), forgetAll: vi.fn(), has: () => false },
  askState: async () => ({ limits, installed: ['numpy'] }) as never,
  readFiles,
  keepFile,
  send,
})
beforeEach(() => {
  vi.clearAllMocks()
  run.mockResolvedValue(outcome)
})

const answered = () => vi.waitFor(() => expect(send).toHaveBeenCalledOnce())

describe('a call of the gateway', () => {
  it('runs in the session of its chat, with its files, within its time, and is answered', async () => {
    expect(calls.handleFrame(call(data))).toBe(true)
    await answered()
    const { session, code, files, limits: given, installed } = run.mock.calls[0]![0]
    expect({ session, code, files, given, installed }).toEqual({
      session: 'chat',
      code: 'print(42)',
      files: [{ name: 'in.csv', bytes: new Uint8Array(2) }],
      given: { ...limits, seconds: 30 },
      installed: ['numpy'],
    })
    expect(send).toHaveBeenCalledWith({
      type: 'call:result',
      call_id: 'c1',
      result: {
        status: 'ok',
        stdout: '42\n',
        stderr: '',
        result: '7',
        html: null,
        error: null,
        files: [],
        pictures: [],
      },
    })
  })

  it('keeps files and pictures as the person’s own and answers with their names', async () => {
    run.mockResolvedValue({
      ...outcome,
      pictures: [`data:image/png;base64,${btoa('abcd')}`],
      files: [{ name: 'out.csv', bytes: new Uint8Array(3) }],
      tooLarge: ['huge.bin'],
    })
    calls.handleFrame(call(data))
    await answered()
    expect(send).toHaveBeenCalledWith({
      type: 'call:result',
      call_id: 'c1',
      result: expect.objectContaining({
        files: [{ id: 'id-3', name: 'out.csv', size: 3 }],
        pictures: ['/api/v1/files/id-4/content'],
        stderr: '[huge.bin is too large to be kept.]',
      }),
    })
  })

  it('of somebody who may not upload is answered with what was printed, and why the rest is missing', async () => {
    run.mockResolvedValue({ ...outcome, files: [{ name: 'out.csv', bytes: new Uint8Array(3) }] })
    keepFile.mockRejectedValueOnce(new Error('You may not upload files.'))
    calls.handleFrame(call(data))
    await answered()
    expect(send).toHaveBeenCalledWith({
      type: 'call:result',
      call_id: 'c1',
      result: expect.objectContaining({
        stdout: '42\n',
        files: [],
        stderr: '[out.csv could not be kept: You may not upload files.]',
      }),
    })
  })

  it('with text that fits into no frame is answered with its beginning', async () => {
    run.mockResolvedValue({
      ...outcome,
      stdout: '\u0001'.repeat(500_000),
      stderr: '\u0001'.repeat(500_000),
      result: '\u0001'.repeat(100_000),
      html: 'x'.repeat(199_000),
    })
    calls.handleFrame(call(data))
    await answered()
    expect(JSON.stringify(send.mock.calls[0]).length).toBeLessThan(1024 * 1024)
  })

  it('whose run was ended tells the model why', async () => {
    run.mockResolvedValue({ ...outcome, status: 'timeout', stdout: 'so far', seconds: 30.2 })
    calls.handleFrame(call(data))
    await answered()
    expect(send).toHaveBeenCalledWith({
      type: 'call:result',
      call_id: 'c1',
      result: expect.objectContaining({
        status: 'timeout',
        stdout: 'so far',
        stderr: 'The code was stopped after the time limit of 30 seconds. Its variables are lost.',
      }),
    })
  })

  it('that is taken back stops its run and is not answered', async () => {
    let stopped = false
    run.mockImplementation(
      ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            stopped = true
            resolve({ ...outcome, status: 'stopped' })
          }),
        ),
    )
    calls.handleFrame(call(data))
    await vi.waitFor(() => expect(run).toHaveBeenCalled())
    expect(calls.handleFrame({ type: 'call:cancel', call_id: 'other' })).toBe(false)
    expect(stopped).toBe(false)
    expect(calls.handleFrame({ type: 'call:cancel', call_id: 'c1' })).toBe(true)
    await vi.waitFor(() => expect(stopped).toBe(true))
    await vi.waitFor(() =>
      expect(calls.handleFrame({ type: 'call:cancel', call_id: 'c1' })).toBe(false),
    )
    expect(send).not.toHaveBeenCalled()
  })

  it('that cannot be run is answered with why', async () => {
    run.mockRejectedValue(
      new Error('The Python sandbox could not be opened. Reload the page and try again.'),
    )
    calls.handleFrame(call(data))
    await answered()
    expect(send).toHaveBeenCalledWith({
      type: 'call:error',
      call_id: 'c1',
      error: 'The Python sandbox could not be opened. Reload the page and try again.',
    })
  })

  it.each([null, 7, {}, { code: 7 }])('without code is refused: %j', async (odd) => {
    calls.handleFrame(call(odd))
    await answered()
    expect(send).toHaveBeenCalledWith(expect.objectContaining({ type: 'call:error' }))
    expect(run).not.toHaveBeenCalled()
  })

  it('of another kind is left to others', () => {
    expect(
      calls.handleFrame({ ...call(data), data: { type: 'confirmation', data: {} } } as ServerFrame),
    ).toBe(false)
    expect(calls.handleFrame({ type: 'pong' })).toBe(false)
  })
})
