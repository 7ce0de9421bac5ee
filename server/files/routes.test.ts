import { isOnPostgres } from '../testing/create-test-storage.ts'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, serveFiles, type ServedFiles } from '../testing/serve-files.ts'

const ROOT = '/api/v1/files'
const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
const idOf = async (
  served: ServedFiles,
  name: string,
  text: string | Uint8Array<ArrayBuffer>,
): Promise<string> => (await served.upload(name, text)).body.id
const stored = ({ dataDir }: ServedFiles): string[] => filesBelow(path.join(dataDir, 'uploads'))
const names = (reply: {
  body: { items?: { filename: string }[] } & { filename: string }[]
}): string[] => (reply.body.items ?? reply.body).map(({ filename }) => filename)

describe('an upload', () => {
  it('is stored, read and put into the index of the file', async () => {
    const served = await serveFiles()
    const { status, body } = await served.upload(
      'Reise nach Zürich.txt',
      'The night train leaves at ten.',
      { metadata: '{"room":"blue"}' },
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: true,
      user_id: served.ids.owner,
      filename: 'Reise nach Zürich.txt',
      hash: expect.stringMatching(/^[\da-f]{64}$/),
      data: { status: 'completed', content: 'The night train leaves at ten.' },
      meta: {
        name: 'Reise nach Zürich.txt',
        content_type: 'text/plain',
        size: 30,
        data: { room: 'blue' },
        collection_name: `file-${body.id}`,
      },
    })
    expect(served.documents.get(body.id)?.text).toBe('The night train leaves at ten.')
    expect((await served.owner(`${ROOT}/${body.id}/process/status`)).body).toEqual({
      status: 'completed',
      error: null,
      progress: null,
    })
  })

  it('is answered at once unless its end is waited for, and its owner hears how it goes on', async () => {
    const served = await serveFiles()
    const { body } = await served.upload('a.txt', 'Some text', { query: '' })
    expect(body.data).toEqual({ status: 'pending' })
    await expect
      .poll(async () => (await served.owner(`${ROOT}/${body.id}`)).body.data.status)
      .toBe('completed')
    const heard = served.news
      .filter(({ userId, news }) => userId === served.ids.owner && news.id === body.id)
      .map(({ news }) => news)
    expect(heard.map(({ status, progress }) => progress?.stage ?? status)).toEqual(
      expect.arrayContaining(['waiting', 'extracting', 'embedding', 'completed']),
    )
    expect(heard.at(-1)).toEqual({ id: body.id, status: 'completed', error: null, progress: null })
  })

  it('is only kept with process=false, and processed when somebody asks for it', async () => {
    const served = await serveFiles()
    const { body } = await served.upload('a.txt', 'Some text', { query: '?process=false' })
    expect(body.data).toEqual({})
    expect((await served.owner(`${ROOT}/${body.id}/process/status`)).body.status).toBe('pending')
    expect(
      (await served.owner(`${ROOT}/${body.id}/process`, { method: 'POST' })).body.data,
    ).toEqual({
      status: 'completed',
      content: 'Some text',
    })
  })

  it('that cannot be read as text is kept and says why', async () => {
    const served = await serveFiles()
    const noise = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256)
    const { status, body } = await served.upload('firmware.bin', noise)
    expect(status).toBe(200)
    expect(body.data).toEqual({ status: 'failed', error: expect.stringMatching(/\.$/) })
    expect(body.meta.collection_name).toBeNull()
    const empty = await served.upload('empty.txt', '')
    expect(empty.body.data.status).toBe('failed')
  })

  it('of a picture is completed without a text', async () => {
    const served = await serveFiles()
    const { body } = await served.upload('misnamed.txt', PNG)
    expect(body).toMatchObject({
      data: { status: 'completed' },
      meta: { content_type: 'image/png', collection_name: null },
    })
    expect(body.data).not.toHaveProperty('content')
    expect((await served.owner(`${ROOT}/${body.id}/process`, { method: 'POST' })).status).toBe(409)
  })

  it('is known by its bytes, whatever it calls itself', async () => {
    const served = await serveFiles()
    const form = new FormData()
    form.set('file', new Blob(['<script>alert(1)</script>'], { type: 'image/png' }), 'picture.png')
    const reply = await served.raw('owner', `${ROOT}/?process=false`, {
      method: 'POST',
      body: form,
    })
    expect(await reply.json()).toMatchObject({ meta: { content_type: 'text/plain' } })
  })

  it('of bytes the person has already takes no further room until the last of them goes', async () => {
    const served = await serveFiles()
    const [first, second] = [
      await idOf(served, 'a.txt', 'same'),
      await idOf(served, 'b.txt', 'same'),
    ]
    await served.upload('c.txt', 'same', { as: 'friend' })
    expect(stored(served)).toHaveLength(2)
    expect((await served.owner(`${ROOT}/usage`)).body).toMatchObject({ count: 2, bytes: 4 })
    await served.owner(`${ROOT}/${first}`, { method: 'DELETE' })
    expect((await served.owner(`${ROOT}/${second}/data/content`)).body.content).toBe('same')
    await served.owner(`${ROOT}/${second}`, { method: 'DELETE' })
    await expect.poll(() => stored(served).length).toBe(1)
  })

  it('larger than allowed is refused with the limit, and nothing of it stays', async () => {
    const served = await serveFiles({ environment: { RAG_FILE_MAX_SIZE: '1' } })
    expect(
      (await served.upload('fits.txt', 'x'.repeat(1024 * 1024), { query: '?process=false' }))
        .status,
    ).toBe(200)
    for (const excess of [1, 100_000, 30_000_000]) {
      const { status, body } = await served.upload('long.txt', 'x'.repeat(1024 * 1024 + excess))
      expect([status, body.detail]).toEqual([413, expect.stringContaining('1 MB')])
    }
    await expect.poll(() => stored(served).length).toBe(1)
  })

  it('of another kind than the allowed ones is refused', async () => {
    const served = await serveFiles({ environment: { RAG_ALLOWED_FILE_EXTENSIONS: 'txt,.MD' } })
    expect((await served.upload('a.TXT', 'x')).status).toBe(200)
    expect((await served.upload('a.md', 'x')).status).toBe(200)
    for (const name of ['a.exe', 'txt', 'a.txt.exe'])
      expect(await served.upload(name, 'x')).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('.txt, .md') },
      })
    expect(stored(served)).toHaveLength(1)
  })

  it('beyond the share of a person is refused', async () => {
    const served = await serveFiles({ environment: { FILE_QUOTA_PER_USER: '1' } })
    const half = 'x'.repeat(600_000)
    expect((await served.upload('a.txt', half, { query: '?process=false' })).status).toBe(200)
    expect((await served.upload('same.txt', half, { query: '?process=false' })).status).toBe(200)
    expect(await served.upload('b.txt', `${half}y`)).toMatchObject({
      status: 413,
      body: { detail: expect.stringContaining('Delete some') },
    })
    expect(
      (await served.upload('b.txt', `${half}y`, { as: 'friend', query: '?process=false' })).status,
    ).toBe(200)
    expect(stored(served)).toHaveLength(2)
  })

  it.skipIf(isOnPostgres)(
    'that finds no room is answered 507 and leaves nothing; others are still read',
    async () => {
      const served = await serveFiles()
      const id = await idOf(served, 'a.txt', 'x')
      const { sqlite } = served.storage
      sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true }))}`)
      let reply = await served.upload('b.txt', 'y', {
        metadata: JSON.stringify({ long: 'x'.repeat(100_000) }),
      })
      expect([reply.status, reply.body.detail]).toEqual([
        507,
        expect.stringContaining('disk is full'),
      ])
      expect((await served.owner(`${ROOT}/${id}/data/content`)).body.content).toBe('x')
      expect(stored(served)).toHaveLength(1)
      sqlite.pragma('max_page_count = 1073741823')
      reply = await served.upload('b.txt', 'y')
      expect(reply.body.data.status).toBe('completed')
    },
  )

  it('of an account that went meanwhile leaves nothing', async () => {
    const served = await serveFiles()
    await served.users.remove(served.ids.friend)
    expect((await served.upload('a.txt', 'x', { as: 'friend' })).status).toBe(401)
    expect(stored(served)).toEqual([])
  })

  it('has to be a form with one file', async () => {
    const served = await serveFiles()
    const imitation = {
      file: { path: '/etc/passwd', originalname: 'x', filepath: '/etc/passwd' },
      filename: 'x',
      path: '/etc/passwd',
    }
    expect((await served.owner(`${ROOT}/`, { body: imitation })).status).toBe(415)
    const send = (form: FormData) => served.raw('owner', `${ROOT}/`, { method: 'POST', body: form })
    const form = (...parts: [name: string, value: string, filename?: string][]) => {
      const made = new FormData()
      for (const [name, value, filename] of parts) {
        if (filename === undefined) made.append(name, value)
        else made.append(name, new Blob([value]), filename)
      }
      return made
    }
    expect((await send(form(['path', '/etc/passwd']))).status).toBe(400)
    expect((await send(form(['other', 'x', 'a.txt']))).status).toBe(400)
    expect((await send(form(['file', 'x', 'a.txt'], ['file', 'x', 'b.txt']))).status).toBe(400)
    const rich = JSON.stringify({ a: Array(2001).fill(0) })
    for (const metadata of ['[1]', '{', '"text"', rich])
      expect((await served.upload('a.txt', 'x', { metadata })).body.detail).toContain('metadata')
    expect(
      (
        await served.upload('a.txt', 'x', {
          metadata: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
        })
      ).status,
    ).toBe(400)
    expect(stored(served)).toEqual([])
  })
})

describe('files', () => {
  it('are missing to others, whatever they try, unless a rule lets them read', async () => {
    const served = await serveFiles()
    const id = await idOf(served, 'secret.txt', 'secret')
    const paths = [
      '',
      '/process/status',
      '/process/status?stream=true',
      '/data/content',
      '/content',
      '/content/secret.txt',
      '/content/html',
    ]
    const statuses = async () =>
      Promise.all(
        paths.map(async (each) => (await served.raw('friend', `${ROOT}/${id}${each}`)).status),
      )
    expect(await statuses()).toEqual(paths.map(() => 404))
    const changes = [
      () => served.friend(`${ROOT}/${id}/rename`, { body: { filename: 'mine.txt' } }),
      () => served.friend(`${ROOT}/${id}/data/content/update`, { body: { content: 'mine' } }),
      () => served.friend(`${ROOT}/${id}/process`, { method: 'POST' }),
      () => served.friend(`${ROOT}/${id}`, { method: 'DELETE' }),
    ]
    for (const change of changes) expect((await change()).status).toBe(404)
    expect((await served.friend(`${ROOT}/`)).body).toEqual({ items: [], total: 0 })
    expect((await served.friend(`${ROOT}/?user_id=${served.ids.owner}`)).body.total).toBe(0)
    expect((await served.friend(`${ROOT}/search?filename=*`)).status).toBe(404)

    served.files.addReadRule(
      async (userId, fileId) => userId === served.ids.friend && fileId === id,
    )
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200, 404])
    for (const change of changes) expect((await change()).status).toBe(404)
    expect((await served.admin(`${ROOT}/${id}`)).body.data.content).toBe('secret')
    expect((await served.owner(`${ROOT}/${id}`)).body.filename).toBe('secret.txt')
  })

  it('are listed 50 a page, narrowed and ordered as asked, with or without their texts', async () => {
    const served = await serveFiles()
    for (let count = 0; count < 51; count += 1)
      await served.upload(`note ${count}.txt`, `text ${count}`, { query: '?process=false' })
    await served.upload('100%_ÜBER.csv', 'a,b\n1,2')
    await served.upload('other.txt', 'other', { as: 'friend' })
    const list = (query: string) => served.owner(`${ROOT}/?${query}`)
    const first = await list('')
    expect([first.body.items.length, first.body.total]).toEqual([50, 52])
    expect(first.body.items[0]).toMatchObject({
      filename: '100%_ÜBER.csv',
      data: { content: expect.stringContaining('1') },
    })
    expect((await list('content=false')).body.items[0].data).toEqual({ status: 'completed' })
    expect(names(await list('page=2'))).toEqual(['note 1.txt', 'note 0.txt'])
    expect(names(await list('query=%25_%C3%BCber'))).toEqual(['100%_ÜBER.csv'])
    expect(names(await list('query=*.CSV'))).toEqual(['100%_ÜBER.csv'])
    expect(names(await list('status=completed'))).toEqual(['100%_ÜBER.csv'])
    expect(names(await list('kind=table'))).toEqual(['100%_ÜBER.csv'])
    expect(names(await list('order_by=filename')).slice(0, 2)).toEqual([
      '100%_ÜBER.csv',
      'note 0.txt',
    ])
    expect(names(await list('order_by=size&direction=asc'))[0]).toBe('note 0.txt')
    expect((await served.admin(`${ROOT}/`)).body.total).toBe(53)
    expect((await served.admin(`${ROOT}/?user_id=${served.ids.friend}`)).body.total).toBe(1)
  })

  it('are found by names with wildcards', async () => {
    const served = await serveFiles()
    for (const name of ['Report 1.txt', 'Report 10.txt', '50%.txt'])
      await served.upload(name, name, { query: '?process=false' })
    const search = async (pattern: string) => {
      const reply = await served.owner(`${ROOT}/search?filename=${encodeURIComponent(pattern)}`)
      return reply.status === 200 ? names(reply) : reply.status
    }
    expect(await search('report ?.TXT')).toEqual(['Report 1.txt'])
    expect(await search('report*')).toEqual(['Report 10.txt', 'Report 1.txt'])
    expect(await search('5%.txt')).toBe(404)
    expect(await search('50%*')).toEqual(['50%.txt'])
    expect(await search('report')).toBe(404)
    expect(names(await served.owner(`${ROOT}/search?filename=*&skip=1&limit=1`))).toEqual([
      'Report 10.txt',
    ])
  })

  it('get another text that is embedded anew', async () => {
    const served = await serveFiles()
    const id = await idOf(served, 'a.txt', 'Old text')
    const reply = await served.owner(`${ROOT}/${id}/data/content/update`, {
      body: { content: 'New text' },
    })
    expect(reply.body).toEqual({ content: 'New text' })
    expect(served.documents.get(id)?.text).toBe('New text')
    expect((await served.owner(`${ROOT}/${id}/data/content`)).body).toMatchObject({
      content: 'New text',
      pages: [],
      notices: [],
    })
    expect(
      (await served.owner(`${ROOT}/${id}/data/content/update`, { body: { content: ' ' } })).status,
    ).toBe(400)
    expect(await (await served.raw('owner', `${ROOT}/${id}/content`)).text()).toBe('Old text')
  })

  it('keep long texts to the letter, also where a piece ends within a character', async () => {
    const served = await serveFiles()
    const text = `${'x'.repeat(64 * 1024 - 1)}🙂${'"\\\n€'.repeat(60_000)}end`
    const id = await idOf(served, 'long.txt', text)
    expect((await served.owner(`${ROOT}/${id}`)).body.data.content).toBe(text)
    expect((await served.files.content(id))?.text).toBe(text)
    expect(await served.files.textLength(id)).toBe(text.length)
  })

  it('get another name', async () => {
    const served = await serveFiles()
    const id = await idOf(served, 'a.txt', 'x')
    expect(
      (await served.owner(`${ROOT}/${id}/rename`, { body: { filename: '../B.txt' } })).body,
    ).toMatchObject({
      filename: 'B.txt',
      meta: { name: 'B.txt' },
    })
    expect(names(await served.owner(`${ROOT}/search?filename=b.txt`))).toEqual(['B.txt'])
    expect(served.documentNames.get(id)).toBe('B.txt')
  })

  it('are deleted with their bytes and passages, one by one, all, and with their owner', async () => {
    const served = await serveFiles()
    const gone: string[] = []
    served.files.onRemoved(async (id) => void gone.push(id))
    const [first, second, third] = [
      await idOf(served, 'a', '1'),
      await idOf(served, 'b', '2'),
      await idOf(served, 'c', '3'),
    ]
    const others = (await served.upload('d', '4', { as: 'friend' })).body.id
    expect((await served.owner(`${ROOT}/${first}`, { method: 'DELETE' })).body).toHaveProperty(
      'message',
    )
    expect((await served.owner(`${ROOT}/${first}`)).status).toBe(404)
    expect([gone, [...served.documents.keys()]]).toEqual([[first], [second, third, others]])
    await served.users.remove(served.ids.owner)
    expect((await served.admin(`${ROOT}/${second}`)).status).toBe(404)
    await expect
      .poll(() => [gone.toSorted(), [...served.documents.keys()]])
      .toEqual([[first, second, third].toSorted(), [others]])
    await expect.poll(() => stored(served).length).toBe(1)
    expect((await served.friend(`${ROOT}/all`, { method: 'DELETE' })).status).toBe(401)
    expect((await served.admin(`${ROOT}/all`, { method: 'DELETE' })).status).toBe(200)
    await expect.poll(() => [stored(served).length, served.documents.size]).toEqual([0, 0])
  })

  it('become data addresses for models only when they are pictures the person may read', async () => {
    const served = await serveFiles()
    const [picture, text] = [await idOf(served, 'a.png', PNG), await idOf(served, 'b.txt', 'x')]
    const address = `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`
    const { owner, friend } = served.ids
    expect(await served.files.toDataUrl(owner, picture)).toBe(address)
    expect(await served.files.toDataUrl(owner, `/api/v1/files/${picture}/content`)).toBe(address)
    expect(
      await served.files.toDataUrl(
        owner,
        `http://127.0.0.1:8642/api/v1/files/${picture}/content?x`,
      ),
    ).toBe(address)
    expect(await served.files.toDataUrl(friend, picture)).toBeNull()
    expect(await served.files.toDataUrl(owner, text)).toBeNull()
    expect(await served.files.toDataUrl(owner, '../../etc/passwd')).toBeNull()
  })

  it('whose bytes somebody took away say so', async () => {
    const served = await serveFiles()
    const id = await idOf(served, 'a.txt', 'x')
    rmSync(path.join(served.dataDir, 'uploads'), { recursive: true })
    expect((await served.owner(`${ROOT}/${id}/content`)).body.detail).toContain('upload it again')
    expect((await served.owner(`${ROOT}/${id}/process`, { method: 'POST' })).body.data.status).toBe(
      'failed',
    )
    expect((await served.upload('b.txt', 'y')).status).toBe(200)
  })
})
