import { truncateSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { nameList, startLibrary, withFile } from '../testing/start-library.ts'

describe('directories', () => {
  it('nest, move, never into themselves, and leave their files behind', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const make = async (name: string, parent_id: string | null = null) =>
      library.call('owner', `knowledge/${id}/dirs/create`, { body: { name, parent_id } })
    const outer = (await make('Pumps')).body.id
    const inner = (await make('Old', outer)).body.id
    expect((await make('Pumps')).status).toBe(400)
    expect((await make('..')).status).toBe(400)
    expect((await make('a/b')).status).toBe(400)
    expect((await make('Lost', 'nowhere')).status).toBe(404)
    expect(
      (
        await library.call('owner', `knowledge/${id}/dirs/${outer}/update`, {
          body: { parent_id: inner },
        })
      ).status,
    ).toBe(400)
    expect(
      (
        await library.call('owner', `knowledge/${id}/dirs/${inner}/update`, {
          body: { name: 'Older' },
        })
      ).body.name,
    ).toBe('Older')
    const moved = await library.call('owner', `knowledge/${id}/file/move`, {
      body: { file_id: fileId, directory_id: inner },
    })
    expect(moved.body).toEqual({ status: true })
    const inside = await library.call('owner', `knowledge/${id}/files?directory_id=${inner}`)
    expect(nameList(inside)).toEqual(['pump.md'])
    expect(inside.body).toMatchObject({
      items: [{ user: { id: library.ids.owner, email: expect.stringContaining('@') } }],
      directories: [],
      breadcrumbs: [
        { id: outer, name: 'Pumps' },
        { id: inner, name: 'Older' },
      ],
    })
    expect((await library.call('owner', `knowledge/${id}/files`)).body).toMatchObject({
      directories: [{ id: outer, user_id: library.ids.owner }],
      breadcrumbs: [],
    })
    const elsewhere = await library.createKnowledge('owner', 'Elsewhere')
    expect(
      (
        await library.call('owner', `knowledge/${elsewhere}/dirs/${inner}/update`, {
          body: { name: 'x' },
        })
      ).status,
    ).toBe(404)
    expect(
      (await library.call('owner', `knowledge/${id}/dirs/${outer}/delete`, { method: 'DELETE' }))
        .body,
    ).toEqual({ status: true })
    const after = await library.call('owner', `knowledge/${id}`)
    expect(after.body).toMatchObject({
      directories: [],
      files: [{ id: fileId, directory_id: null }],
    })
  })
})

describe('a folder outside', () => {
  it('is compared by path and checksum, and what is gone there can be cleaned up', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const directory = (
      await library.call('owner', `knowledge/${id}/dirs/create`, { body: { name: 'guide' } })
    ).body.id
    const second = await library.upload('owner', 'start.md', 'Begin here.')
    await library.call('owner', `knowledge/${id}/file/add`, {
      body: { file_id: second, directory_id: directory },
    })
    const hash = (await library.server.context.files.find(fileId))!.hash
    const files = [
      { filename: 'pump.md', path: '', checksum: hash.toUpperCase() },
      { filename: 'start.md', path: '.\\guide\\', checksum: 'other' },
      { filename: 'more.md', path: 'new/deep' },
    ]
    const diff = await library.call('owner', `knowledge/${id}/sync/diff`, { body: { files } })
    expect(diff.body).toEqual({
      added: [{ filename: 'more.md', path: 'new/deep' }],
      modified: [{ filename: 'start.md', path: 'guide', stale_file_id: second }],
      deleted: [],
      mkdir: ['new', 'new/deep'],
      rmdir: [],
      unmodified_count: 1,
      directory_map: { guide: directory },
    })
    const gone = await library.call('owner', `knowledge/${id}/sync/diff`, {
      body: { manifest: [files[0]] },
    })
    expect(gone.body).toMatchObject({
      deleted: [{ filename: 'start.md', path: 'guide', file_id: second }],
      rmdir: [directory],
    })
    const body = { file_ids: [second, 'nothing'], directory_ids: [directory] }
    expect((await library.call('owner', `knowledge/${id}/sync/cleanup`, { body })).body).toEqual({
      status: true,
      removed: 1,
    })
    expect((await library.call('owner', `knowledge/${id}`)).body).toMatchObject({
      files: [{ id: fileId }],
      directories: [],
    })
    expect(await library.server.context.files.find(second)).toBeNull()
  })
})

describe('the zip of a collection', () => {
  it('holds the files in their directories under names that stay inside', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const directory = (
      await library.call('owner', `knowledge/${id}/dirs/create`, { body: { name: 'guide' } })
    ).body.id
    await library.call('owner', `knowledge/${id}/file/move`, {
      body: { file_id: fileId, directory_id: directory },
    })
    const second = await library.upload('owner', '..', 'A name to climb out with.')
    await library.call('owner', `knowledge/${id}/file/add`, { body: { file_id: second } })
    const { url } = library.server
    const token = (await library.server
      .call('POST', '/api/v1/auths/signin', {
        body: { email: 'root@example.com', password: 'correct horse battery' },
      })
      .then((reply) => reply.json())) as { token: string }
    const reply = await fetch(`${url}/api/v1/knowledge/${id}/export`, {
      headers: { Authorization: `Bearer ${token.token}` },
    })
    expect(reply.headers.get('content-type')).toBe('application/zip')
    const entries = unzipSync(new Uint8Array(await reply.arrayBuffer()))
    expect(Object.keys(entries)).toContain('guide/pump.md')
    for (const name of Object.keys(entries)) expect(name.split('/')).not.toContain('..')
    expect(Buffer.from(entries['guide/pump.md']!).toString()).toContain('warm water')
  })
})

describe('the zip of a large collection', () => {
  it('may be left in the middle without anything going wrong', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const { blob_id } = (await library.server.context.storage
      .prepare('select blob_id from file where id = ?')
      .get(fileId)) as {
      blob_id: string
    }
    await library.server.context.storage
      .prepare('update blob set size = ? where id = ?')
      .run(300_000_000, blob_id)
    truncateSync(
      path.join(library.server.dataDir, 'uploads', blob_id.slice(0, 2), blob_id),
      300_000_000,
    )
    const { token } = (await (
      await library.server.call('POST', '/api/v1/auths/signin', {
        body: { email: 'root@example.com', password: 'correct horse battery' },
      })
    ).json()) as { token: string }
    const controller = new AbortController()
    const reply = await fetch(`${library.server.url}/api/v1/knowledge/${id}/export`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: controller.signal,
    })
    expect(reply.status).toBe(200)
    const noted = vi.spyOn(library.server.context.log, 'error')
    controller.abort()
    await sleep(200)
    expect(noted).not.toHaveBeenCalled()
  })
})
