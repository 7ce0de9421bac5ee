import path from 'node:path'
import { expect, test } from 'vitest'
import { toAppPaths } from './paths.ts'

test('the Python of the packaged app lies beside its archive, where programs can be started', () => {
  const resources = path.resolve('/opt/Chat Gateway/resources')
  const { root, python } = toAppPaths(path.join(resources, 'app.asar/out/main'))
  expect({ root, python }).toEqual({
    root: path.join(resources, 'app.asar'),
    python: path.join(resources, 'python'),
  })
})
