import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toUpdateQuestion } from '../system/dialogs.ts'
import { createLogger } from '../profile/log.ts'
import { UpdateMark } from './update-mark.ts'
import { UpdateRecovery } from './update-recovery.ts'

const { electron, onQuit, startProgram } = vi.hoisted(() => {
  const listeners: (() => void)[] = []
  return {
    onQuit: listeners,
    startProgram: vi.fn(),
    electron: {
      app: {
        releaseSingleInstanceLock: vi.fn(),
        prependOnceListener: (_: string, listener: () => void) => listeners.push(listener),
      },
      dialog: { showMessageBox: vi.fn<(question: { buttons: string[] }) => unknown>() },
    },
  }
})
vi.mock('electron', () => electron)
vi.mock('./start-program.ts', () => ({ startProgram }))

let folder: string
let program: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-recovery-'))
  program = path.join(folder, 'App.AppImage')
  writeFileSync(program, 'new')
  writeFileSync(`${program}.previous`, 'old')
})
afterEach(() => {
  vi.clearAllMocks()
  onQuit.length = 0
  rmSync(folder, { recursive: true, force: true })
})

const openMark = (): UpdateMark => new UpdateMark(path.join(folder, 'update.json'))

function setUp({
  starts = 0,
  appImage = program,
}: { starts?: number; appImage?: string | null } = {}) {
  const mark = openMark()
  const previous = `${program}.previous`
  mark.set({ from: '1.0.0', to: '1.1.0', previous, backup: '/copy.db', starts })
  const log = createLogger('silent', () => undefined)
  const ownOptions = ['--profile=/p']
  return new UpdateRecovery({ mark, version: '1.1.0', appImage, ownOptions, log })
}

/** Answers the next message boxes with these buttons. */
function answer(...labels: string[]): void {
  for (const label of labels)
    electron.dialog.showMessageBox.mockImplementationOnce(({ buttons }) => ({
      response: buttons.indexOf(label),
    }))
}

test('the first start of a new version asks nothing, and is over once its window is there', async () => {
  const recovery = setUp()
  expect(await recovery.allowStart()).toBe(true)
  recovery.finish()
  expect(openMark().current).toBeNull()
  expect(await recovery.takeFailure()).toBeNull()
  expect(electron.dialog.showMessageBox).not.toHaveBeenCalled()
})

test('the start after one that showed no window offers the version of before, which takes its place', async () => {
  answer('Go back to version 1.0.0')
  expect(await setUp({ starts: 1 }).allowStart()).toBe(false)
  expect(readFileSync(program, 'utf8')).toBe('old')
  expect(openMark().current).toBeNull()
  expect(startProgram).not.toHaveBeenCalled()
  for (const listener of onQuit) listener()
  expect(startProgram).toHaveBeenCalledExactlyOnceWith(
    program,
    ['--', '--profile=/p'],
    expect.anything(),
  )
})

test('the person may try the new version once more', async () => {
  answer('Try again')
  expect(await setUp({ starts: 1 }).allowStart()).toBe(true)
  expect(readFileSync(program, 'utf8')).toBe('new')
})

test('a gateway that fails in the first start of a new version offers the way back at once', async () => {
  answer('Go back to version 1.0.0')
  expect(await setUp().takeFailure()).toBe('back')
  expect(readFileSync(program, 'utf8')).toBe('old')
})

test('where the version of before is gone, only the other ways are left', async () => {
  const recovery = setUp({ starts: 1 })
  rmSync(`${program}.previous`)
  answer('Go back to version 1.0.0', 'Quit')
  expect(await recovery.allowStart()).toBe(false)
  const [, second] = electron.dialog.showMessageBox.mock.calls
  expect(second![0].buttons).toEqual(['Try again', 'Quit'])
  expect(readFileSync(program, 'utf8')).toBe('new')
  expect(openMark().current).not.toBeNull()
})

test('a build that cannot swap itself says how to go back by hand, and where the copy lies', () => {
  const question = toUpdateQuestion({ from: '1.0.0', to: '1.1.0', backup: '/copy.db' }, false)
  expect(question.choices.map((choice) => choice.answer)).toEqual(['again', 'quit'])
  expect(question.detail).toContain('download version 1.0.0')
  expect(question.detail).toContain('/copy.db')
})
