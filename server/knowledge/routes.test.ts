import { describe, expect, it } from 'vitest'
import { nameList, startLibrary, withFile } from '../testing/start-library.ts'

const read = (id: string, permission: 'read' | 'write' = 'read') => ({
  access_grants: [{ principal_type: 'user', principal_id: id, permission }],
})
describe('collections', () => {
  it('carry their type, state and rights in both spellings', async () => {
    const library = await startLibrary()
    const id = await library.createKnowledge('owner', 'Manuals', {
      description: 'How machines are used',
    })
    expect((await library.call('owner', `knowledge/${id}`)).body).toMatchObject({
      id,
      type: 'collection',
      status: 'processed',
      name: 'Manuals',
      description: 'How machines are used',
      user_id: library.ids.owner,
      files: [],
      file_count: 0,
      access_grants: [],
      access_control: {},
      write_access: true,
    })
    const update = await library.call('owner', `knowledge/${id}/update`, {
      body: { name: 'Handbooks', access_control: { read: { user_ids: [library.ids.other] } } },
    })
    expect(update.body).toMatchObject({
      name: 'Handbooks',
      description: 'How machines are used',
      access_grants: read(library.ids.other).access_grants,
    })
  })

  it('are made only by those who are permitted', async () => {
    const library = await startLibrary()
    await library.server.context.settings.update({ USER_PERMISSIONS: null })
    expect((await library.call('owner', 'knowledge/create', { body: { name: 'No' } })).status).toBe(
      403,
    )
    expect(
      (await library.call('admin', 'knowledge/create', { body: { name: 'Yes' } })).status,
    ).toBe(200)
  })

  it('are listed as pages and as an array, by words, own and shared', async () => {
    const library = await startLibrary()
    for (let count = 0; count < 31; count += 1)
      await library.createKnowledge('owner', `Plain ${count}`)
    await library.createKnowledge('owner', 'Ünique pumps', read(library.ids.other))
    const first = await library.call('owner', 'knowledge/')
    expect([first.body.items.length, first.body.total]).toEqual([30, 32])
    expect((await library.call('owner', 'knowledge?page=2')).body.items).toHaveLength(2)
    expect((await library.call('owner', 'knowledge/list')).body).toHaveLength(32)
    expect(nameList(await library.call('owner', 'knowledge/search?query=%C3%9CNIQUE'))).toEqual([
      'Ünique pumps',
    ])
    expect(nameList(await library.call('other', 'knowledge/search?view_option=shared'))).toEqual([
      'Ünique pumps',
    ])
    expect(nameList(await library.call('other', 'knowledge/?view_option=created'))).toEqual([])
    expect((await library.call('admin', 'knowledge/')).body.total).toBe(32)
  })

  it('take processed files with text, once', async () => {
    const library = await startLibrary()
    const { id, fileId, added } = await withFile(library)
    expect(added.body).toMatchObject({
      file_count: 1,
      status: 'processed',
      files: [{ id: fileId, filename: 'pump.md', data: { status: 'completed' } }],
      data: { file_ids: [fileId] },
    })
    const add = (file_id: string) =>
      library.call('owner', `knowledge/${id}/file/add`, { body: { file_id } })
    expect(await add(fileId)).toMatchObject({ status: 200, body: { file_count: 1 } })
    const copy = await library.upload(
      'owner',
      'copy.md',
      (await library.server.context.files.content(fileId))!.text,
    )
    expect(await add(copy)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('Duplicate content') },
    })
    expect((await add('nothing')).status).toBe(404)
    const { files } = library.server.context
    const content = { bytes: Buffer.from('Not read yet.') }
    const waiting = await files.create(
      library.ids.owner,
      { filename: 'late.txt', contentType: null, content },
      { process: false, background: true },
    )
    const refused = await add(waiting.id)
    expect(refused.status).toBe(400)
    expect(refused.body.detail).toMatch(/content provided is empty/i)
    expect(refused.body.detail).toMatch(/ensure that there is text or data present/i)
  })

  it('take one of several files with the same text that are added at the same time', async () => {
    const library = await startLibrary()
    const id = await library.createKnowledge('owner', 'Pumps')
    const copies: string[] = []
    for (const name of ['one.md', 'two.md', 'three.md'])
      copies.push(await library.upload('owner', name, 'The pump turns at 900 a minute.'))
    const replies = await Promise.all(
      [...copies, copies[0]!].map((file_id) =>
        library.call('owner', `knowledge/${id}/file/add`, { body: { file_id } }),
      ),
    )
    expect(replies.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    expect((await library.call('owner', `knowledge/${id}/files`)).body.total).toBe(1)
  })

  it('keep one collection for a text that is sent several times at once', async () => {
    const library = await startLibrary()
    const send = () =>
      library.call('owner', 'retrieval/process/text', {
        body: { name: 'Tides', content: 'The tide comes at nine in the morning.' },
      })
    const replies = await Promise.all([send(), send(), send()])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(replies.map(({ body }) => body.collection_name)).size).toBe(1)
  })

  it('take many files at once and say which they could not take', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const second = await library.upload('owner', 'valve.md', 'Valves are closed by hand.')
    const foreign = await library.upload('other', 'secret.md', 'Nobody else may read this.')
    const copy = await library.upload(
      'owner',
      'copy.md',
      (await library.server.context.files.content(fileId))!.text,
    )
    const body = [second, fileId, copy, foreign].map((file_id) => ({ file_id }))
    const reply = await library.call('owner', `knowledge/${id}/files/batch/add`, { body })
    expect(reply.status).toBe(200)
    expect(reply.body.files.map((file: { id: string }) => file.id).toSorted()).toEqual(
      [fileId, second].toSorted(),
    )
    expect(reply.body.warnings.errors).toEqual([
      expect.stringContaining(copy),
      expect.stringContaining(foreign),
    ])
  })

  it('give files back, which go too when nobody else has them', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const second = await library.createKnowledge('owner', 'Second')
    await library.call('owner', `knowledge/${second}/file/add`, { body: { file_id: fileId } })
    const remove = (from: string, query = '') =>
      library.call('owner', `knowledge/${from}/file/remove${query}`, { body: { file_id: fileId } })
    expect((await remove(id)).body.files).toEqual([])
    expect(await library.server.context.files.find(fileId)).not.toBeNull()
    expect((await remove(second, '?delete_file=false')).status).toBe(200)
    expect(await library.server.context.files.find(fileId)).not.toBeNull()
    await library.call('owner', `knowledge/${id}/file/add`, { body: { file_id: fileId } })
    expect((await remove(id)).status).toBe(200)
    expect(await library.server.context.files.find(fileId)).toBeNull()
    expect((await remove(id)).status).toBe(404)
  })

  it('are found in until they are reset or deleted, and their files stay unless asked otherwise', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const find = async () =>
      (
        await library.call('owner', 'retrieval/query/doc', {
          body: { collection_name: id, query: 'cleaning the pump' },
        })
      ).body
    expect((await find()).documents[0][0]).toContain('warm water')
    expect((await library.call('owner', `knowledge/${id}/reset`, { body: {} })).body.files).toEqual(
      [],
    )
    expect((await find()).documents).toEqual([[]])
    await library.call('owner', `knowledge/${id}/file/add`, { body: { file_id: fileId } })
    expect((await find()).documents[0]).toHaveLength(1)
    expect((await library.call('owner', `knowledge/${id}/delete`, { method: 'DELETE' })).body).toBe(
      true,
    )
    expect((await library.call('owner', `knowledge/${id}`)).status).toBe(404)
    expect(await library.server.context.retrieval.collections.documents(id)).toEqual([])
    expect(await library.server.context.files.find(fileId)).not.toBeNull()
    const again = await library.createKnowledge('owner')
    await library.call('owner', `knowledge/${again}/file/add`, { body: { file_id: fileId } })
    await library.call('owner', `knowledge/${again}/delete?delete_files=true`, { method: 'DELETE' })
    expect(await library.server.context.files.find(fileId)).toBeNull()
  })

  it('go with the account of their owner, and so does what was found in them', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    await library.call('owner', `knowledge/${id}/access/update`, { body: read(library.ids.other) })
    await library.call('owner', 'retrieval/process/text', {
      body: { name: 'Own', content: 'A text of the owner', collection_name: 'own' },
    })
    await library.call('admin', `users/${library.ids.owner}`, { method: 'DELETE' })
    expect((await library.call('other', `knowledge/${id}`)).status).toBe(404)
    const { retrieval, storage, access } = library.server.context
    await storage.deletions.settled()
    expect(await access.grantsOf('knowledge', id)).toEqual([])
    expect(await library.server.context.files.find(fileId)).toBeNull()
    // Index entries of the collections are deleted afterwards, in turns.
    await expect
      .poll(() => storage.prepare('select count(*) from retrieval_member').pluck().get())
      .toBe(0)
    await expect
      .poll(() => storage.prepare('select count(*) from retrieval_collection').pluck().get())
      .toBe(0)
    expect(await retrieval.collections.documents(id)).toEqual([])
  })

  it('shared for reading let others read and search, shared for writing let them change', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const other = (path: string, options?: object) => library.call('other', path, options)
    expect((await other(`files/${fileId}`)).status).toBe(404)
    await library.call('owner', `knowledge/${id}/access/update`, { body: read(library.ids.other) })
    expect((await other(`knowledge/${id}`)).body).toMatchObject({
      write_access: false,
      files: [{ id: fileId }],
    })
    expect((await other(`files/${fileId}`)).status).toBe(200)
    expect(
      (
        await other('retrieval/query/collection', {
          body: { collection_names: [id], query: 'pump' },
        })
      ).body.documents[0],
    ).toHaveLength(1)
    const mine = await library.upload('other', 'mine.md', 'My own text.')
    for (const [path, body] of [
      ['file/add', { file_id: mine }],
      ['file/remove', { file_id: fileId }],
      ['update', { name: 'Mine' }],
      ['reset', {}],
      ['dirs/create', { name: 'Mine' }],
    ] as const) {
      expect((await other(`knowledge/${id}/${path}`, { body })).status, path).toBe(403)
    }
    await library.call('owner', `knowledge/${id}/access/update`, {
      body: read(library.ids.other, 'write'),
    })
    expect((await other(`knowledge/${id}/file/add`, { body: { file_id: mine } })).status).toBe(200)
    // A file of the owner leaves the collection, but the other user cannot delete it.
    expect((await other(`knowledge/${id}/file/remove`, { body: { file_id: fileId } })).status).toBe(
      200,
    )
    expect(await library.server.context.files.find(fileId)).not.toBeNull()
    expect((await other(`files/${fileId}`)).status).toBe(404)
  })

  it('do not let readers hand files on to more people', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    await library.call('owner', `knowledge/${id}/access/update`, { body: read(library.ids.other) })
    const theirs = await library.createKnowledge('other', 'Theirs')
    expect(
      (await library.call('other', `knowledge/${theirs}/file/add`, { body: { file_id: fileId } }))
        .status,
    ).toBe(403)
  })

  it('page, filter and search their files', async () => {
    const library = await startLibrary()
    const { id } = await withFile(library)
    const second = await library.upload('owner', 'Ärger.md', 'What goes wrong.')
    await library.call('owner', `knowledge/${id}/file/add`, { body: { file_id: second } })
    expect(nameList(await library.call('owner', `knowledge/${id}/files?order_by=name`))).toEqual([
      'pump.md',
      'Ärger.md',
    ])
    expect(nameList(await library.call('owner', `knowledge/${id}/files?query=%C3%84RG`))).toEqual([
      'Ärger.md',
    ])
    expect(
      nameList(await library.call('owner', `knowledge/${id}/files?view_option=shared`)),
    ).toEqual([])
    expect((await library.call('owner', `knowledge/${id}/files/pending`)).body).toEqual([])
    const hits = await library.call('owner', 'knowledge/search/files?query=pump')
    expect(hits.body.items).toMatchObject([
      { filename: 'pump.md', collection: { id, name: 'Manuals' } },
    ])
    expect((await library.call('other', 'knowledge/search/files?query=pump')).body).toEqual({
      items: [],
      total: 0,
    })
  })
})

describe('models and folders', () => {
  it('bring along only what whoever saves them may read, and a collection tells who uses it', async () => {
    const library = await startLibrary()
    const { id, fileId } = await withFile(library)
    const folder = (name: 'owner' | 'other', files: object[], path = 'folders/') =>
      library.call(name, path, { body: { name: 'Work', data: { files } } })
    for (const entry of [
      { type: 'collection', id },
      { type: 'file', id: fileId },
      { type: 'file', file: { id: fileId } },
      { type: 'web', collection_name: `file-${fileId}` },
    ]) {
      expect((await folder('other', [entry])).status, JSON.stringify(entry)).toBe(404)
    }
    const own = await folder('owner', [{ type: 'collection', id }])
    expect(own.status).toBe(200)
    const model = {
      id: 'preset',
      name: 'Preset',
      base_model_id: 'guide',
      meta: { knowledge: [{ type: 'collection', id }] },
    }
    expect((await library.call('other', 'models/create', { body: model })).status).toBe(404)
    expect((await library.call('owner', 'models/create', { body: model })).status).toBe(200)
    expect((await library.call('owner', `knowledge/${id}/uses`)).body).toEqual({
      models: [{ id: 'preset', name: 'Preset' }],
      folders: 1,
    })
  })
})
