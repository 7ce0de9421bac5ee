import { expect, it } from 'vitest'
import { serveFiles } from '../testing/serve-files.ts'

const ROOT = '/api/v1/files'
const FILES = 3000

it('all files are gone with the answer, however many rows are still to be removed, and new ones stay', async () => {
  const served = await serveFiles()
  const { storage, ids } = served
  const blob = storage.prepare(
    'insert into blob (id, user_id, hash, size, created_at) values (?, ?, ?, 1, 1)',
  )
  const file = storage.prepare(
    'insert into file (id, user_id, blob_id, filename, name_key, content_type, kind, metadata, status, created_at, updated_at) ' +
      "values (?, ?, ?, 'a', 'a', 'text/plain', 'text', '{}', 'completed', 1, 1)",
  )
  await storage.transaction(async () => {
    for (let place = 0; place < FILES; place += 1) {
      await blob.run(`b${place}`, ids.owner, `h${place}`)
      await file.run(`f${place}`, ids.owner, `b${place}`)
    }
  })
  expect((await served.admin(`${ROOT}/all`, { method: 'DELETE' })).status).toBe(200)
  for (const id of ['f0', `f${FILES - 1}`])
    expect((await served.admin(`${ROOT}/${id}`)).status).toBe(404)
  expect((await served.admin(`${ROOT}/?content=false`)).body).toMatchObject({ items: [], total: 0 })
  expect((await served.owner(`${ROOT}/usage`)).body).toMatchObject({ count: 0, bytes: 0 })

  const kept = (await served.upload('new.txt', 'new')).body.id
  await storage.deletions.settled()
  expect(await storage.deletions.list()).toEqual([])
  expect(await storage.prepare('select id from file').pluck().all()).toEqual([kept])
  await served.files.close()
  expect(await storage.prepare('select kind, id from file_leftover').all()).toEqual([])
}, 60_000)
