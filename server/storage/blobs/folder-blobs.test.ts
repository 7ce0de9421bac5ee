import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { readWhole } from './blobs.ts'
import { FolderBlobs } from './folder-blobs.ts'

const never = new AbortController().signal
const nothing = async () => false

const placeOf = (folder: string, id: string): string => path.join(folder, id.slice(0, 2), id)

async function prepare(blobs: FolderBlobs, text: string): Promise<string> {
  const file = blobs.newTemporaryFile()
  writeFileSync(file, text)
  return blobs.prepare({ path: file, size: text.length, hash: '' })
}

it('keeps bytes under random names until they are removed', async () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const blobs = new FolderBlobs(folder, nothing)
  const [first, second] = [await prepare(blobs, 'same'), await prepare(blobs, 'same')]
  expect(first).not.toBe(second)
  for (const id of [first, second]) blobs.keep(id)
  expect(readFileSync(placeOf(folder, first), 'utf8')).toBe('same')
  const blob = { id: first, size: 4, hash: '' }
  expect(await blobs.lend(blob, never, async (place) => place)).toBe(placeOf(folder, first))
  expect((await readWhole(blobs, blob)).toString()).toBe('same')
  expect(await readWhole(blobs, { ...blob, size: 2 }).catch(String)).toContain('missing')
  await blobs.remove(first)
  await blobs.remove(first)
  expect([existsSync(placeOf(folder, first)), existsSync(placeOf(folder, second))]).toEqual([
    false,
    true,
  ])
})

it('finishes at the next start what had its row, and forgets what had none', async () => {
  const folder = path.join(createTemporaryFolder(), 'uploads')
  const blobs = new FolderBlobs(folder, nothing)
  const [known, unknown, placed] = [
    await prepare(blobs, 'known'),
    await prepare(blobs, 'unknown'),
    await prepare(blobs, 'placed'),
  ]
  blobs.keep(placed)
  const half = blobs.newTemporaryFile()
  writeFileSync(half, 'half')
  const again = new FolderBlobs(folder, async (id) => id === known)
  await again.tidy()
  expect(readFileSync(placeOf(folder, known), 'utf8')).toBe('known')
  expect([existsSync(placeOf(folder, unknown)), existsSync(half)]).toEqual([false, false])
  // A database that does not know placed bytes may be an older copy.
  expect(existsSync(placeOf(folder, placed))).toBe(true)
})
