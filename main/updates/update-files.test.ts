import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { UpdateInfo } from 'electron-updater'
import { findFile } from 'electron-updater/out/providers/Provider.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bringBackAppImage, previousOf, swapAppImage } from './app-image.ts'
import { findFeedFile, readUpdateFeed } from './update-feed.ts'
import { noteStart, UpdateMark } from './update-mark.ts'
import { toUpdateProblem, UpdateError } from './update-problem.ts'
import { readFound, toPlainNotes } from './update-program.ts'

vi.mock('electron', () => ({}))

let folder: string
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-update-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}
const read = (file: string): string => readFileSync(file, 'utf8')
const digestOf = (text: string): string => createHash('sha512').update(text).digest('base64')

describe('the AppImage', () => {
  test('makes room for the new one, stays beside it, and can come back', () => {
    const program = write('App.AppImage', 'old')
    swapAppImage(program, write('download', 'new'), digestOf('new'))
    expect(read(program)).toBe('new')
    expect(statSync(program).mode & 0o111).not.toBe(0)
    expect(read(previousOf(program))).toBe('old')
    expect(bringBackAppImage(program, previousOf(program))).toBe(true)
    expect(read(program)).toBe('old')
    expect(readdirSync(folder).toSorted()).toEqual([
      'App.AppImage',
      'App.AppImage.previous',
      'download',
    ])
  })

  test('stays as it is when the download is not what was checked', () => {
    const program = write('App.AppImage', 'old')
    const download = write('download', 'exchanged')
    expect(() => swapAppImage(program, download, digestOf('new'))).toThrow(UpdateError)
    expect(read(program)).toBe('old')
    expect(readdirSync(folder).toSorted()).toEqual(['App.AppImage', 'download'])
  })

  test('does not come back when it is gone', () => {
    const program = write('App.AppImage', 'new')
    expect(bringBackAppImage(program, previousOf(program))).toBe(false)
    expect(read(program)).toBe('new')
  })

  test.skipIf(process.getuid?.() === 0)('stays as it is in a folder nobody may write to', () => {
    const program = write('App.AppImage', 'old')
    const download = write('download', 'new')
    chmodSync(folder, 0o555)
    const swap = () => swapAppImage(program, download, digestOf('new'))
    expect(swap).toThrow(/EACCES/)
    expect(read(program)).toBe('old')
    chmodSync(folder, 0o755)
  })
})

describe('the note of an update', () => {
  const MARK = { from: '1.0.0', to: '1.1.0', previous: null, backup: '/copy.db', starts: 0 }
  const open = () => new UpdateMark(path.join(folder, 'update.json'))

  test('tells the first start of the new version from a later one that was never seen through', () => {
    open().set(MARK)
    expect(noteStart(open(), '1.1.0')).toBe('first-start')
    expect(noteStart(open(), '1.1.0')).toBe('did-not-come-up')
    open().clear()
    expect(noteStart(open(), '1.1.0')).toBe('nothing')
  })

  test('tells an update that did not take place, once', () => {
    open().set(MARK)
    expect(noteStart(open(), '1.0.0')).toBe('not-installed')
    expect(noteStart(open(), '1.0.0')).toBe('nothing')
  })

  test('says nothing of versions that are long gone, or when it cannot be read', () => {
    open().set(MARK)
    expect(noteStart(open(), '2.0.0')).toBe('nothing')
    write('update.json', '{"from":')
    expect(open().current).toBeNull()
  })
})

describe('the file of a feed with several', () => {
  const file = (url: string) => ({ url, sha512: `digest of ${url}` })
  const readDigest = (platform: NodeJS.Platform, ...urls: string[]): string =>
    readFound({ version: '1.1.0', files: urls.map(file) } as UpdateInfo, platform).sha512

  /** Returns the digest of the file that the library itself downloads. */
  const findInLibrary = (end: string, not: string[] | undefined, ...urls: string[]): string => {
    const listed = urls.map((url) => ({
      url: new URL(url, 'https://example.org/updates/'),
      info: file(url),
    }))
    return findFile(listed, end, not)!.info.sha512
  }

  test.each([
    [['chat-gateway_1.1.0.deb', 'chat-gateway-1.1.0.rpm', 'ChatGateway-1.1.0.AppImage']],
    [['ChatGateway.AppImage', 'chat-gateway.deb']],
    [['App-other.AppImage', `App-${process.arch}.AppImage`, 'chat-gateway.deb']],
    [['chat-gateway.deb', 'files/App.AppImage?from=feed']],
    [['chat-gateway.deb', 'program.bin']],
  ])('is the one the library downloads on Linux: %j', (urls) => {
    const expected = findInLibrary('AppImage', ['rpm', 'deb', 'pacman'], ...urls)
    expect(readDigest('linux', ...urls)).toBe(expected)
  })

  test('is the one the library downloads on Windows and macOS', () => {
    const windows = ['App.zip', 'App-other.exe', `App-${process.arch}.exe`]
    expect(readDigest('win32', ...windows)).toBe(findInLibrary('exe', undefined, ...windows))
    const mac = ['App.dmg', 'App.pkg', 'App.zip']
    expect(readDigest('darwin', ...mac)).toBe(findInLibrary('zip', ['pkg', 'dmg'], ...mac))
  })

  test('is missing if the feed offers packages of the system alone', () => {
    expect(() => readDigest('linux', 'chat-gateway.deb', 'chat-gateway.rpm')).toThrow(
      'names no checksum',
    )
  })
})

describe('the feed', () => {
  test('has to be safe from whoever is between', () => {
    const find = (address: string) =>
      readUpdateFeed(write('app-update.yml', `provider: generic\nurl: ${address}\n`))?.url.href
    expect(find('https://example.org/updates')).toBe('https://example.org/updates')
    expect(find("'https://example.org/updates'")).toBe('https://example.org/updates')
    expect(find('http://127.0.0.1:8000')).toBe('http://127.0.0.1:8000/')
    expect(find('http://example.org/updates')).toBeUndefined()
    expect(find('file:///etc')).toBeUndefined()
    expect(find('')).toBeUndefined()
    expect(readUpdateFeed(path.join(folder, 'missing.yml'))).toBeNull()
  })

  test('of a packaged app is its own, whatever is named', () => {
    const resources = path.join(folder, 'resources')
    expect(findFeedFile({ isPackaged: true, resources }, '/tmp/other.yml')).toBe(
      path.join(resources, 'app-update.yml'),
    )
    expect(findFeedFile({ isPackaged: false, resources }, null)).toBeNull()
  })
})

test('notes are shown as words, whatever the feed makes of them', () => {
  expect(toPlainNotes('<h1>New</h1>\n<script>bad()</script>A &amp; B\u202e\u0007')).toBe(
    'New\nbad()A & B',
  )
  expect(
    toPlainNotes([
      { version: '1.1.0', note: 'One' },
      { version: '1.0.1', note: null },
    ]),
  ).toBe('1.1.0\nOne\n\n1.0.1')
  expect(toPlainNotes(null)).toBe('')
})

test.each([
  ['checksum', 'sha512 checksum mismatch', 'ERR_CHECKSUM_MISMATCH'],
  ['unreadable', 'Cannot parse update info', 'ERR_UPDATER_INVALID_UPDATE_INFO'],
  ['unreadable', 'Cannot find channel', 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'],
  ['elsewhere', 'net::ERR_BLOCKED_BY_CLIENT', ''],
  ['unreachable', 'net::ERR_CONNECTION_REFUSED', ''],
  ['space', 'ENOSPC: no space left on device', 'ENOSPC'],
  ['not-written', 'EACCES: permission denied', 'EACCES'],
  ['other', 'Something else', ''],
] as const)('%s: %s', (problem, message, code) => {
  expect(toUpdateProblem(Object.assign(new Error(message), code && { code }))).toBe(problem)
})
