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

it('knows all packages that bring code to run while they are installed', () => {
  const running = Object.entries(packages).filter(
    ([, { hasInstallScript }]) => hasInstallScript === true,
  )
  expect(running.map(([folder]) => folder)).toEqual([
    'node_modules/@fugood/whisper.node',
    'node_modules/electron-winstaller',
    'node_modules/keytar',
    'node_modules/node-llama-cpp',
  ])
})

it('has the libraries that run models neither build nor download anything while they are installed', () => {
  const { config, allowScripts } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as { config: Record<string, string>; allowScripts: Record<string, boolean> }
  expect(config['nodeLlamaCppPostinstall']).toBe('skip')
  expect(allowScripts['node-llama-cpp']).toBe(false)
  expect(allowScripts['@fugood/whisper.node']).toBe(false)
})

it('installs no package that counts installations', () => {
  const counting = Object.entries(packages).filter(
    ([folder, { name }]) => folder.endsWith('/@scarf/scarf') && name !== 'ms',
  )
  expect(counting).toEqual([])
})
