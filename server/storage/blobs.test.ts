import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { Blobs } from './blobs.ts'

const nothing = async () => false

async function prepare(blobs: Blobs, text: string): Promise<string> {
  const file = blobs.newTemporaryFile()
  writeFileSync(file, text)
  return blobs.prepare(file)
}

it('keeps bytes under random names until they are removed', async () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const blobs = new Blobs(folder, nothing)
  const [first, second] = [await prepare(blobs, 'same'), await prepare(blobs, 'same')]
  expect(first).not.toBe(second)
  for (const id of [first, second]) blobs.keep(id)
  expect(readFileSync(blobs.path(first), 'utf8')).toBe('same')
  expect(blobs.path(first).startsWith(folder)).toBe(true)
  await blobs.remove(first)
  await blobs.remove(first)
  expect([existsSync(blobs.path(first)), existsSync(blobs.path(second))]).toEqual([false, true])
})

it('finishes at the next start what had its row, and forgets what had none', async () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const blobs = new Blobs(folder, nothing)
  const [known, unknown, placed] = [
    await prepare(blobs, 'known'),
    await prepare(blobs, 'unknown'),
    await prepare(blobs, 'placed'),
  ]
  blobs.keep(placed)
  const half = blobs.newTemporaryFile()
  writeFileSync(half, 'half')
  const again = new Blobs(folder, async (id) => id === known)
  await again.tidy()
  expect(readFileSync(again.path(known), 'utf8')).toBe('known')
  expect([existsSync(again.path(unknown)), existsSync(half)]).toEqual([false, false])
  // A database that does not know placed bytes may be an older one.
  expect(existsSync(again.path(placed))).toBe(true)
})
