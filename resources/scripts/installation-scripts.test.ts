import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  readonly name?: string
  readonly hasInstallScript?: boolean
}
const root = path.join(import.meta.dirname, '../..')
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}

it('runs code of nobody while it is installed but what builds the keychain and the Windows installer', () => {
  const running = Object.entries(packages).filter(
    ([, { hasInstallScript }]) => hasInstallScript === true,
  )
  expect(running.map(([folder]) => folder)).toEqual([
    'node_modules/electron-winstaller',
    'node_modules/keytar',
  ])
})

it('installs no package that counts installations', () => {
  const counting = Object.entries(packages).filter(
    ([folder, { name }]) => folder.endsWith('/@scarf/scarf') && name !== 'ms',
  )
  expect(counting).toEqual([])
})
