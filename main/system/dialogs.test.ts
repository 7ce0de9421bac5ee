import type { BrowserWindow } from 'electron'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askAboutFailure, askAboutRootKey, toFailureQuestion } from './dialogs.ts'
import { languages, setLanguage } from './language.ts'
import type { GatewayState } from '../gateway/supervise-gateway.ts'

const { showMessageBox } = vi.hoisted(() => ({ showMessageBox: vi.fn() }))
vi.mock('electron', () => ({ dialog: { showMessageBox } }))

beforeEach(() => {
  showMessageBox.mockReset()
})
afterEach(() => void setLanguage(['en']))

type Failed = Extract<GatewayState, { name: 'failed' }>

const failed = (
  reason: NonNullable<Failed['failure']>['reason'],
  choices: string[] = [],
): Failed => ({
  name: 'failed',
  detail: 'The reason.',
  failure: { type: 'failed', reason, message: 'The reason.', choices },
})

const answersOf = (state: Failed): string[] =>
  toFailureQuestion(state).choices.map(({ answer }) => answer)

test('a damaged database offers what the gateway can do, and trying again or quitting always', () => {
  expect(answersOf(failed('damaged', ['restore', 'fresh']))).toEqual([
    'restore',
    'fresh',
    'retry',
    'quit',
  ])
  expect(answersOf(failed('damaged', ['without-log', 'fresh']))).toEqual([
    'without-log',
    'fresh',
    'retry',
    'quit',
  ])
  expect(answersOf(failed('damaged', ['fresh', 'format the disk']))).toEqual([
    'fresh',
    'retry',
    'quit',
  ])
  expect(answersOf(failed('newer-schema'))).toEqual(['retry', 'quit'])
  expect(answersOf({ name: 'failed', detail: 'crashes', failure: null })).toEqual(['retry', 'quit'])
})

test('a second gateway on the same data is named as the cause', () => {
  expect(toFailureQuestion(failed('locked')).message).toContain('Another Chat Gateway is using')
})

test('why a gateway did not start is said in the language of the person, with its own words beside it', () => {
  expect(toFailureQuestion(failed('read-only')).detail).toBe('The reason.\n\nNothing was deleted.')
  const reasons = ['locked', 'damaged', 'read-only', 'newer-schema', 'other'] as const
  const said = languages
    .filter((language) => language !== 'en')
    .flatMap((language) => {
      setLanguage([language])
      return reasons.map((reason) => toFailureQuestion(failed(reason)).detail)
    })
  expect(said).toHaveLength((languages.length - 1) * reasons.length)
  expect(new Set(said).size).toBe(said.length)
  for (const detail of said) expect(detail).toMatch(/^[^\n]{5,}\n\n\(The reason\.\)\n\n/)
})

test('what the app itself says of a failed start is not said twice', () => {
  setLanguage(['de'])
  const question = toFailureQuestion({ name: 'failed', detail: 'Fünfmal.', failure: null })
  expect(question.detail).toBe('Fünfmal.\n\nEs wurde nichts gelöscht.')
})

const windowThatIs = (isVisible: boolean, isDestroyed = false) =>
  ({ isVisible: () => isVisible, isDestroyed: () => isDestroyed }) as BrowserWindow

test('Escape means quit and the answer follows the button', async () => {
  const hidden = windowThatIs(false)
  showMessageBox.mockResolvedValueOnce({ response: 1 })
  expect(await askAboutFailure(failed('damaged', ['restore', 'fresh']), hidden)).toBe('fresh')
  expect(showMessageBox.mock.calls[0]![0]).toMatchObject({ defaultId: 0, cancelId: 3 })
  showMessageBox.mockResolvedValueOnce({ response: -1 })
  expect(await askAboutFailure(failed('other'), windowThatIs(true, true))).toBe('quit')
  expect(showMessageBox.mock.calls[1]).toHaveLength(1)
})

test('a question is in front of a window that is shown', async () => {
  const shown = windowThatIs(true)
  showMessageBox.mockResolvedValueOnce({ response: 0 })
  expect(await askAboutFailure(failed('other'), shown)).toBe('retry')
  expect(showMessageBox.mock.calls[0]![0]).toBe(shown)
})

test('an entry that holds no key leads to a new key, and that is said', async () => {
  showMessageBox.mockResolvedValue({ response: 1 })
  const missing = { state: 'changed', cause: 'foreign', detail: null } as const
  expect(await askAboutRootKey(missing)).toBe('anyway')
  const { detail, buttons } = showMessageBox.mock.calls[0]![0]
  expect(detail).toContain('kept in a file')
  expect(buttons[1]).toBe('Start with a new key')
})

test.each(['unreachable', 'deleted', 'changed'] as const)(
  'R14: a root key that is %s is explained, and trying again is the default',
  async (state) => {
    showMessageBox.mockResolvedValue({ response: 0 })
    expect(await askAboutRootKey({ state, cause: null, detail: 'why' })).toBe('retry')
    const { detail, buttons } = showMessageBox.mock.calls[0]![0]
    expect(detail).toMatch(/your chats are (available|not affected)/i)
    expect(detail).toContain('(why)')
    expect(buttons).toHaveLength(3)
  },
)
