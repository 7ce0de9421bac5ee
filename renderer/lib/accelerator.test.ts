import { describe, expect, test } from 'vitest'
import { commands } from '#desktop'
import { acceleratorKeys, matchesAccelerator } from './accelerator.ts'

const press = (part: Partial<Parameters<typeof matchesAccelerator>[0]>) => ({
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...part,
})

describe('shortcuts', () => {
  test('are written with the symbols of the system', () => {
    expect(acceleratorKeys('CmdOrCtrl+Shift+L', true)).toEqual(['⌘', '⇧', 'L'])
    expect(acceleratorKeys('CmdOrCtrl+Shift+L', false)).toEqual(['Ctrl', 'Shift', 'L'])
  })

  test('match with exactly their modifiers', () => {
    expect(matchesAccelerator(press({ key: 'k', ctrlKey: true }), 'CmdOrCtrl+K', false)).toBe(true)
    expect(matchesAccelerator(press({ key: 'k', metaKey: true }), 'CmdOrCtrl+K', true)).toBe(true)
    expect(
      matchesAccelerator(press({ key: 'K', ctrlKey: true, shiftKey: true }), 'CmdOrCtrl+K', false),
    ).toBe(false)
    expect(matchesAccelerator(press({ key: 'k' }), 'CmdOrCtrl+K', false)).toBe(false)
  })

  test('on brackets match by the place of the key, whatever Shift makes of it', () => {
    expect(
      matchesAccelerator(
        press({ key: '{', code: 'BracketLeft', ctrlKey: true, shiftKey: true }),
        'CmdOrCtrl+Shift+[',
        false,
      ),
    ).toBe(true)
  })

  test('never share the same keys', () => {
    const keys = commands.flatMap(({ accelerator }) => accelerator ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })
})
