import { expect, test, vi } from 'vitest'
import { toContextTemplate } from './context-menu.ts'

vi.mock('electron', () => ({ clipboard: {}, Menu: {} }))

type Params = Parameters<typeof toContextTemplate>[0]

const editFlags = {
  canCut: false,
  canCopy: true,
  canPaste: true,
  canSelectAll: true,
} as Params['editFlags']

const nothing: Params = {
  misspelledWord: '',
  dictionarySuggestions: [],
  isEditable: false,
  editFlags,
  selectionText: '',
  linkURL: '',
  hasImageContents: false,
}

function build(change: Partial<Params>) {
  const actions = {
    replace: vi.fn(),
    learn: vi.fn(),
    copyText: vi.fn(),
    copyPicture: vi.fn(),
    savePicture: vi.fn(),
  }
  const items = toContextTemplate({ ...nothing, ...change }, actions)
  const click = (label: string): void =>
    items.find((item) => item.label === label)!.click!({} as never, undefined, undefined as never)
  return { actions, items, click, labels: items.map(({ label }) => label) }
}

test('there is no menu where nothing can be done', () => {
  expect(build({}).items).toEqual([])
  expect(build({ linkURL: 'javascript:alert(1)' }).items).toEqual([])
  expect(build({ selectionText: ' \n' }).items).toEqual([])
})

test('text that is read can be copied, text that is written also cut and pasted', () => {
  expect(build({ selectionText: 'word' }).labels).toEqual(['Copy'])
  const { items, labels } = build({ isEditable: true })
  expect(labels).toEqual(['Cut', 'Copy', 'Paste', 'Select all'])
  expect(items.map(({ enabled }) => enabled)).toEqual([false, true, true, true])
})

test('a word that may be wrong comes with suggestions, and can be learnt', () => {
  const { labels, click, actions } = build({
    isEditable: true,
    misspelledWord: 'brige',
    dictionarySuggestions: ['bridge', 'bride', 'brig', 'brag', 'brim', 'ridge'],
  })
  expect(labels.slice(0, 7)).toEqual([
    'bridge',
    'bride',
    'brig',
    'brag',
    'brim',
    'Add to dictionary',
    undefined,
  ])
  click('bridge')
  click('Add to dictionary')
  expect(actions.replace).toHaveBeenCalledExactlyOnceWith('bridge')
  expect(actions.learn).toHaveBeenCalledExactlyOnceWith('brige')
  expect(build({ misspelledWord: 'qqq' }).labels[0]).toBe('No suggestions')
})

test('links and pictures have their own entries', () => {
  const { labels, click, actions } = build({
    linkURL: 'https://example.org/a',
    hasImageContents: true,
  })
  expect(labels).toEqual(['Copy link', undefined, 'Copy picture', 'Save picture…'])
  click('Copy link')
  click('Save picture…')
  expect(actions.copyText).toHaveBeenCalledExactlyOnceWith('https://example.org/a')
  expect(actions.savePicture).toHaveBeenCalledOnce()
})
