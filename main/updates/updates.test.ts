import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UpdateMode, UpdateState } from '#desktop'
import { createLogger } from '../profile/log.ts'
import { UpdateError } from './update-problem.ts'
import type { FoundUpdate, UpdateProgram } from './update-program.ts'
import { Updates } from './updates.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const FOUND: FoundUpdate = { version: '1.1.0', notes: 'Better', sha512: 'digest' }

function setUp({
  mode = null,
  way = 'itself',
}: { mode?: UpdateMode | null; way?: UpdateState['way'] } = {}) {
  const program = {
    look: vi.fn<UpdateProgram['look']>(async () => FOUND),
    download: vi.fn<UpdateProgram['download']>(async (onShare) => {
      onShare(0.5)
      return '/cache/new'
    }),
    install: vi.fn(),
  }
  const chosen = { mode }
  const running = { answers: 0, isSealed: false }
  const backUp = vi.fn(async () => '/copy.db')
  const install = vi.fn()
  const quit = vi.fn()
  const states: UpdateState[] = []
  const updates = new Updates({
    way,
    version: '1.0.0',
    program,
    mode: () => chosen.mode,
    countAnswers: async () => running.answers,
    mayLeave: async () => !running.isSealed,
    backUp,
    install,
    quit,
    onState: (state) => states.push(state),
    log: createLogger('silent', () => undefined),
    times: { look: 1_000, stall: 2_000, wait: 100, first: 500, again: 10_000 },
  })
  const phases = () => states.map(({ phase }) => phase)
  return { updates, program, chosen, running, backUp, install, quit, states, phases }
}

async function makeReady(fixture: ReturnType<typeof setUp>): Promise<void> {
  fixture.updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  fixture.updates.act('download')
  await vi.advanceTimersByTimeAsync(0)
  expect(fixture.updates.state.phase).toBe('ready')
}

test('in sealed mode nothing is looked for or fetched, and it says so', async () => {
  const { updates, program, running } = setUp({ mode: 'automatic' })
  running.isSealed = true
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state).toMatchObject({ phase: 'idle', problem: 'sealed' })
  expect(program.look).not.toHaveBeenCalled()
  running.isSealed = false
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state.phase).toBe('ready')
})

test('what was found before the gateway was sealed is not fetched any more', async () => {
  const { updates, program, running } = setUp({ mode: 'ask' })
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  running.isSealed = true
  updates.act('download')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state).toMatchObject({ phase: 'found', problem: 'sealed' })
  expect(program.download).not.toHaveBeenCalled()
})

test.each([null, 'never'] as const)('with the choice %s nobody looks', async (mode) => {
  const { updates, program } = setUp({ mode })
  updates.schedule()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(program.look).not.toHaveBeenCalled()
})

test('asked to ask, it looks now and then and fetches nothing by itself', async () => {
  const { updates, program } = setUp({ mode: 'ask' })
  program.look.mockResolvedValueOnce(null)
  updates.schedule()
  await vi.advanceTimersByTimeAsync(600)
  expect(updates.state.phase).toBe('current')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(updates.state).toMatchObject({
    phase: 'found',
    found: { version: '1.1.0', notes: 'Better' },
    isNews: true,
  })
  expect(program.look).toHaveBeenCalledTimes(2)
  expect(program.download).not.toHaveBeenCalled()
})

test('a choice against it ends what was planned', async () => {
  const { updates, program, chosen } = setUp({ mode: 'ask' })
  updates.schedule()
  chosen.mode = 'never'
  updates.schedule()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(program.look).not.toHaveBeenCalled()
})

test('automatically, it is fetched as well, and how far that is told', async () => {
  const { updates, states, phases } = setUp({ mode: 'automatic' })
  updates.schedule()
  await vi.advanceTimersByTimeAsync(600)
  expect(updates.state.phase).toBe('ready')
  expect(phases()).toEqual(['looking', 'found', 'downloading', 'downloading', 'ready', 'ready'])
  expect(states.map(({ share }) => share)).toContain(0.5)
})

test('what the system brings as a package is told, not fetched', async () => {
  const { updates, program } = setUp({ mode: 'automatic', way: 'package' })
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  updates.act('download')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state.phase).toBe('found')
  expect(program.download).not.toHaveBeenCalled()
})

test('a feed that does not answer ends the look, and the next look works', async () => {
  const { updates, program } = setUp()
  program.look.mockReturnValueOnce(new Promise(() => undefined))
  updates.act('look')
  await vi.advanceTimersByTimeAsync(1_100)
  expect(updates.state).toMatchObject({ phase: 'idle', problem: 'slow' })
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state).toMatchObject({ phase: 'found', problem: null })
})

test('an older version is refused by name', async () => {
  const { updates, program } = setUp()
  program.look.mockRejectedValueOnce(new UpdateError('older', '0.9.0'))
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state).toMatchObject({ phase: 'idle', problem: 'older', detail: '0.9.0' })
})

test('a download that stands still ends, and one that goes on slowly does not', async () => {
  const { updates, program } = setUp()
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  const signals: AbortSignal[] = []
  program.download.mockImplementationOnce((onShare, signal) => {
    signals.push(signal)
    setTimeout(() => onShare(0.1), 1_900)
    return new Promise(() => undefined)
  })
  updates.act('download')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(updates.state.phase).toBe('downloading')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(updates.state).toMatchObject({ phase: 'found', problem: 'slow' })
  expect(signals[0]!.aborted).toBe(true)
})

test('cancelled, the version stays on offer without a complaint', async () => {
  const { updates, program } = setUp()
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  program.download.mockImplementationOnce(
    (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('cancelled'))),
      ),
  )
  updates.act('download')
  await vi.advanceTimersByTimeAsync(0)
  expect(program.download).toHaveBeenCalledTimes(1)
  updates.act('cancel')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state).toMatchObject({ phase: 'found', problem: null })
  updates.act('download')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state.phase).toBe('ready')
})

test('a download that was cancelled while its file was verified is not installed', async () => {
  const { updates, program, install } = setUp()
  updates.act('look')
  await vi.advanceTimersByTimeAsync(0)
  const { promise: verified, resolve } = Promise.withResolvers<string>()
  program.download.mockReturnValueOnce(verified)
  updates.act('download')
  await vi.advanceTimersByTimeAsync(0)
  updates.act('cancel')
  resolve('/cache/new')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state.phase).toBe('found')
  await updates.prepareEnd()
  updates.finishEnd()
  expect(install).not.toHaveBeenCalled()
})

test('a restart waits for the answers that are being written, and can be taken back', async () => {
  const fixture = setUp()
  const { updates, running, quit, backUp } = fixture
  await makeReady(fixture)
  running.answers = 1
  updates.act('restart')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(updates.state.phase).toBe('waiting')
  expect(backUp).not.toHaveBeenCalled()
  updates.act('cancel')
  running.answers = 0
  await vi.advanceTimersByTimeAsync(1_000)
  expect(quit).not.toHaveBeenCalled()
  updates.act('restart')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(quit).toHaveBeenCalledOnce()
  expect(updates.startsAgain).toBe(true)
})

test('an answer that began while the database was copied is let finish', async () => {
  const fixture = setUp()
  const { updates, running, quit, backUp } = fixture
  await makeReady(fixture)
  backUp.mockImplementationOnce(async () => {
    running.answers = 1
    return '/copy.db'
  })
  updates.act('restart')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(quit).not.toHaveBeenCalled()
  running.answers = 0
  await vi.advanceTimersByTimeAsync(200)
  expect(quit).toHaveBeenCalledOnce()
})

test('without a copy of the database nothing is installed, now or at the end', async () => {
  const fixture = setUp()
  const { updates, backUp, quit, install } = fixture
  await makeReady(fixture)
  backUp.mockRejectedValue(new Error('There is no space for a backup.'))
  updates.act('restart')
  await vi.advanceTimersByTimeAsync(0)
  expect(updates.state).toMatchObject({
    phase: 'ready',
    problem: 'copy',
    detail: 'There is no space for a backup.',
  })
  expect(quit).not.toHaveBeenCalled()
  await updates.prepareEnd()
  updates.finishEnd()
  expect(install).not.toHaveBeenCalled()
})

test('what is ready is installed at the end, with its copy, and not started again unasked', async () => {
  const fixture = setUp()
  const { updates, install } = fixture
  updates.finishEnd()
  expect(install).not.toHaveBeenCalled()
  await makeReady(fixture)
  await updates.prepareEnd()
  updates.finishEnd()
  // As after a second quit.
  updates.finishEnd()
  expect(install).toHaveBeenCalledExactlyOnceWith({
    ...FOUND,
    file: '/cache/new',
    backup: '/copy.db',
  })
  expect(updates.startsAgain).toBe(false)
})
