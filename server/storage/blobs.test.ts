import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { openBlobs, type Blobs } from './blobs.ts'

async function keep(blobs: Blobs, text: string): Promise<string> {
  const file = blobs.newTemporaryFile()
  writeFileSync(file, text)
  const id = await blobs.keep(file)
  expect(existsSync(file)).toBe(false)
  return id
}

it('keeps bytes under random names until they are removed', async () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const blobs = openBlobs(folder)
  const [first, second] = [await keep(blobs, 'same'), await keep(blobs, 'same')]
  expect(first).not.toBe(second)
  expect(readFileSync(blobs.path(first), 'utf8')).toBe('same')
  expect(blobs.path(first).startsWith(folder)).toBe(true)
  await blobs.remove(first)
  await blobs.remove(first)
  expect([existsSync(blobs.path(first)), existsSync(blobs.path(second))]).toEqual([false, true])
})

it('sweeps what nobody knows, but neither what is still being stored nor files of others', async () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const blobs = openBlobs(folder)
  expect(await blobs.sweep(() => false)).toBe(0)
  const [known, unsettled, orphan] = [await keep(blobs, '1'), await keep(blobs, '2'), await keep(blobs, '3')]
  blobs.settle(known)
  blobs.settle(orphan)
  mkdirSync(path.join(folder, 'ab'), { recursive: true })
  const foreign = path.join(folder, 'ab', 'notes.txt')
  writeFileSync(foreign, 'mine')
  expect(await blobs.sweep((id) => id === known)).toBe(1)
  expect([known, unsettled, orphan].map((id) => existsSync(blobs.path(id)))).toEqual([true, true, false])
  expect(existsSync(foreign)).toBe(true)
})

it('begins without what the last run had not finished', () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const file = openBlobs(folder).newTemporaryFile()
  writeFileSync(file, 'half')
  openBlobs(folder)
  expect(existsSync(file)).toBe(false)
})
