import { mkdtempSync, writeFileSync } from 'node:fs'
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
