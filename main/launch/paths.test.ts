import { chownSync, lchownSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findPortableProfile, toAppPaths } from './paths.ts'

test('the Python of the packaged app lies beside its archive, where programs can be started', () => {
  const resources = path.resolve('/opt/Chat Gateway/resources')
  const { root, python } = toAppPaths(path.join(resources, 'app.asar/out/main'))
  expect({ root, python }).toEqual({
    root: path.join(resources, 'app.asar'),
    python: path.join(resources, 'python'),
  })
})

test('with the mark beside the program everything is kept there, without it nothing is', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portable-'))
  const programs = ['Chat Gateway.AppImage', 'Chat Gateway.app/Contents/MacOS/Chat Gateway'].map(
    (name) => path.join(folder, name),
  )
  for (const program of programs) expect(findPortableProfile(program)).toBeNull()
  writeFileSync(path.join(folder, 'chat-gateway.portable'), '')
  for (const program of programs)
    expect(findPortableProfile(program)).toBe(path.join(folder, 'chat-gateway-data'))
})

test.runIf(process.getuid)('what another account put beside the program is not used', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portable-'))
  const mark = path.join(folder, 'chat-gateway.portable')
  const profile = path.join(folder, 'chat-gateway-data')
  const find = (account: number) =>
    findPortableProfile(path.join(folder, 'Chat Gateway.AppImage'), account)
  writeFileSync(mark, '')
  const isRoot = statSync(mark).uid === 0
  // Root is trusted, and the only account that can give files to others.
  if (isRoot) chownSync(mark, 12_345, 12_345)
  const { uid } = statSync(mark)
  expect(find(uid)).toBe(profile)
  expect(find(uid + 1)).toBeNull()
  symlinkSync(tmpdir(), profile)
  expect(find(uid)).toBe(profile)
  if (isRoot) lchownSync(profile, 54_321, 54_321)
  expect(find(isRoot ? uid : uid + 1)).toBeNull()
})
