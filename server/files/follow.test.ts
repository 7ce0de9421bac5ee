import { expect, it } from 'vitest'
import { follow } from './storing/change-files.ts'
import type { FileParts } from './file-parts.ts'
import type { FileRow } from './store.ts'

it('a file that was read before it is announced as waiting is announced as read at last', async () => {
  const row = (job: string | null, status: string) => ({ id: 'a', job, status }) as FileRow
  const states = [row('process', 'pending'), row(null, 'completed'), row(null, 'completed')]
  const announced: string[] = []
  const waiting = new Set<string>()
  const parts = {
    queue: { wake: () => Promise.resolve() },
    store: { get: () => Promise.resolve(states.shift()) },
    board: { set: (id: string) => waiting.add(id), clear: (id: string) => waiting.delete(id) },
    announce: ({ status }: FileRow) => void announced.push(status!),
  } as unknown as FileParts
  expect(await follow(parts, 'a', false)).toMatchObject({ status: 'completed' })
  expect(announced).toEqual(['pending', 'completed'])
  expect([...waiting]).toEqual([])
})
