import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { writeTinyModel } from '../../testing/write-tiny-model.ts'
import { ModelLibrary } from './model-library.ts'

let folder: string
let library: ModelLibrary
let now = 0

beforeEach(() => {
  folder = createTemporaryFolder()
  mkdirSync(folder, { recursive: true })
  library = new ModelLibrary(folder, () => Promise.resolve([]))
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
})

const writeModel = (contextLength: number): string => {
  const file = path.join(folder, 'tiny.gguf')
  writeTinyModel(file, { contextLength })
  return file
}
const findLength = async (): Promise<number | null | undefined> =>
  (await library.find('tiny'))?.info?.contextLength

it('a model is looked at once for calls in quick succession, and again after a second', async () => {
  writeModel(1024)
  expect(await findLength()).toBe(1024)
  now += 900
  writeModel(2048)
  expect(await findLength()).toBe(1024)
  now += 200
  expect(await findLength()).toBe(2048)
  now += 900
  expect(await findLength()).toBe(2048)
})

it('a model that another program deleted is no longer found after a second', async () => {
  const file = writeModel(1024)
  expect(await findLength()).toBe(1024)
  rmSync(file)
  now += 1100
  expect(await library.find('tiny')).toBeNull()
})

it('a model deleted here is no longer found at once', async () => {
  writeModel(1024)
  expect(await findLength()).toBe(1024)
  await library.remove('tiny')
  expect(await library.find('tiny')).toBeNull()
})
