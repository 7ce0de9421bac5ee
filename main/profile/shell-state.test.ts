import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ShellStateFile } from './shell-state.ts'

const usual = {
  bounds: null,
  isMaximized: false,
  isFullScreen: false,
  theme: 'system',
  language: null,
  staysInTray: false,
  usesGraphicsCard: true,
  quickAskShortcut: null,
  checksSpelling: null,
  zoom: 0,
  quickAskStaysOnTop: true,
  updates: null,
  quickAskPlace: null,
}

const stateFile = () =>
  path.join(mkdtempSync(path.join(tmpdir(), 'shell-state-')), 'profile', 'shell.json')

test('a change is there at the next start, in a file only the owner can read', () => {
  const file = stateFile()
  new ShellStateFile(file).update({
    theme: 'dark',
    bounds: { x: 1, y: 2, width: 800, height: 600 },
  })
  expect(new ShellStateFile(file).current).toEqual({
    ...usual,
    theme: 'dark',
    bounds: { x: 1, y: 2, width: 800, height: 600 },
  })
  expect(statSync(file).mode & (process.platform === 'win32' ? 0 : 0o077)).toBe(0)
})

test('a damaged or partly wrong file costs only the wrong values', () => {
  const file = stateFile()
  new ShellStateFile(file).update({ theme: 'light' })
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('"isMaximized": false', '"isMaximized": "yes"'),
  )
  expect(new ShellStateFile(file).current).toEqual({ ...usual, theme: 'light' })
  for (const text of ['', '{', 'null', '[]', '"x"']) {
    writeFileSync(file, text)
    expect(new ShellStateFile(file).current).toEqual(usual)
  }
})

test('a file that can be neither read nor written costs no more than what it would store', () => {
  const file = stateFile()
  mkdirSync(file, { recursive: true })
  const state = new ShellStateFile(file)
  expect(state.current).toEqual(usual)
  state.remember({ zoom: 2 })
  expect(state.current.zoom).toBe(2)
  expect(() => state.update({ theme: 'dark' })).toThrow('EISDIR')
  expect(state.current.theme).toBe('dark')
  expect(readdirSync(path.dirname(file))).toEqual(['shell.json'])
  rmSync(file, { recursive: true })
  state.remember({ zoom: 3 })
  expect(new ShellStateFile(file).current).toEqual({ ...usual, theme: 'dark', zoom: 3 })
})
