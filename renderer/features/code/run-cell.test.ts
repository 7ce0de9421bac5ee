import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { cellOf, createCellsStore, toCellKey } from './cells-store.ts'
import type { CellOutcome, CellRun } from './interpreter.ts'
import { runCell } from './run-cell.ts'

const ran: CellOutcome = {
  status: 'ok',
  stdout: 'hi\n',
  stderr: '',
  result: null,
  html: null,
  pictures: [],
  error: null,
  files: [{ name: 'a.csv', bytes: new Uint8Array(3) }],
  tooLarge: [],
  reason: '',
  seconds: 1,
}
const limits = { seconds: 60, memory: 1, output: 100, file: 1 }
const key = toCellKey('m', 'print("hi")')
const cell = { key, chatId: 'c', code: 'print("hi")', files: [{ id: 'f1', name: 'in.csv' }] }

let engine = 'pyodide'
const run = vi.fn<(run: CellRun) => Promise<CellOutcome>>()
const has = vi.fn(() => false)
const readFiles = vi.fn(async (files: readonly { name: string }[]) =>
  files.map(({ name }) => ({ name, bytes: new Uint8Array(1) })),
)
const askState = vi.fn(
  async () => ({ execution: { enabled: true, engine }, limits, installed: [] }) as never,
)
const deps = { interpreter: { run, has, forget: vi.fn(), forgetAll: vi.fn() }, askState, readFiles }

beforeEach(() => {
  vi.clearAllMocks()
  engine = 'pyodide'
  run.mockResolvedValue(ran)
})
afterEach(() => vi.unstubAllGlobals())

describe('a cell a person runs', () => {
  it('shows where it is and its output as it comes, then keeps what came of it with the code it ran', async () => {
    const store = createCellsStore()
    run.mockImplementation(async ({ onProgress, onOutput }) => {
      onProgress({ phase: 'running' })
      onOutput([{ stream: 'stdout', text: 'hi\n' }])
      expect(cellOf(store, key).running).toMatchObject({
        progress: { phase: 'running' },
        pieces: [{ text: 'hi\n' }],
      })
      return ran
    })
    await runCell(store, deps, cell)
    const { running, outcome, ran: code } = cellOf(store, key)
    expect({ running, code }).toEqual({ running: null, code: 'print("hi")' })
    expect(outcome).toMatchObject({ status: 'ok', files: [{ name: 'a.csv', size: 3, id: null }] })
  })

  it('that is running is not started again', async () => {
    const store = createCellsStore()
    const first = runCell(store, deps, cell)
    expect(await runCell(store, deps, cell)).toBeNull()
    await first
    expect(run).toHaveBeenCalledOnce()
  })

  it('finds the files of its conversation, which are read once for each session', async () => {
    const store = createCellsStore()
    await runCell(store, deps, cell)
    has.mockReturnValue(true)
    await runCell(store, deps, { ...cell, files: [...cell.files, { id: 'f2', name: 'more.csv' }] })
    has.mockReturnValue(false)
    await runCell(store, deps, cell)
    expect(run.mock.calls.map(([{ files }]) => files.map(({ name }) => name))).toEqual([
      ['in.csv'],
      ['more.csv'],
      ['in.csv'],
    ])
  })

  it('that cannot be run says why, and stopped is no failure', async () => {
    const store = createCellsStore()
    askState.mockRejectedValueOnce(new Error('The gateway is not there.'))
    await runCell(store, deps, cell)
    expect(cellOf(store, key).outcome).toMatchObject({
      status: 'failed',
      reason: 'The gateway is not there.',
    })
    run.mockRejectedValueOnce(new DOMException('', 'AbortError'))
    await runCell(store, deps, cell)
    expect(cellOf(store, key).outcome).toMatchObject({ status: 'stopped', reason: '' })
  })

  it('goes to the gateway where a Jupyter server runs code, and is stopped there', async () => {
    engine = 'jupyter'
    const store = createCellsStore()
    const result = {
      id: 'r',
      status: 'stopped',
      stdout: 'from the server',
      engine: 'jupyter',
      seconds: 2,
    }
    let answer: (value: unknown) => void = () => undefined
    const gateway = fakeGateway({
      'POST /api/v1/code/runs': () => new Promise((resolve) => (answer = resolve)),
    })
    const running = runCell(store, deps, cell)
    await vi.waitFor(() => expect(gateway.calls).toHaveLength(1))
    const { id } = gateway.calls[0]!.body as { id: string }
    expect(gateway.calls[0]!.body).toMatchObject({
      code: 'print("hi")',
      chat_id: 'c',
      files: cell.files,
    })
    gateway.answers[`POST /api/v1/code/runs/${id}/stop`] = { status: true }
    cellOf(store, key).running!.stop()
    await vi.waitFor(() => expect(gateway.calls[1]?.path).toBe(`/api/v1/code/runs/${id}/stop`))
    answer(result)
    await running
    expect(cellOf(store, key).outcome).toMatchObject({
      status: 'stopped',
      stdout: 'from the server',
    })
    expect(run).not.toHaveBeenCalled()
  })
})
