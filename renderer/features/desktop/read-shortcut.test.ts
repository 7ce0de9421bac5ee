import { expect, test } from 'vitest'
import { readShortcut } from './read-shortcut.ts'

const press = (code: string, ...held: ('ctrl' | 'meta' | 'shift' | 'alt')[]) => ({
  code,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  shiftKey: held.includes('shift'),
  altKey: held.includes('alt'),
})

test('keys pressed together are read by their place, with the modifiers as each system calls them', () => {
  expect(readShortcut(press('KeyJ', 'ctrl', 'shift'), false)).toBe('CmdOrCtrl+Shift+J')
  expect(readShortcut(press('Space', 'alt'), false)).toBe('Alt+Space')
  expect(readShortcut(press('Digit1', 'meta'), false)).toBe('Super+1')
  expect(readShortcut(press('KeyJ', 'meta'), true)).toBe('CmdOrCtrl+J')
  expect(readShortcut(press('KeyJ', 'ctrl', 'alt'), true)).toBe('Ctrl+Alt+J')
  expect(readShortcut(press('F5', 'shift'), false)).toBe('Shift+F5')
})

test('while only modifiers are held nothing is chosen yet', () => {
  for (const code of ['ControlLeft', 'ShiftRight', 'AltLeft', 'MetaLeft'])
    expect(readShortcut(press(code, 'ctrl'), false)).toBeNull()
})

test('keys people write with, and keys nobody can hold system-wide, are refused', () => {
  for (const keys of [press('KeyA'), press('KeyA', 'shift'), press('Space', 'shift')])
    expect(readShortcut(keys, false)).toBe('invalid')
  for (const code of ['Enter', 'Tab', 'Semicolon', 'F25'])
    expect(readShortcut(press(code, 'ctrl'), false)).toBe('invalid')
})
