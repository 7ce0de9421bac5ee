import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ImagesConfig, Picture } from '#contract/images.ts'
import { imagesConfigSchema } from '#contract/images.ts'
import { startAutomatic1111 } from '../testing/picture-servers/automatic1111.ts'
import { startOpenAiPictures } from '../testing/picture-servers/openai-pictures.ts'
import { ending, startPictures } from '../testing/start-pictures.ts'

const startWithSeeds = async (more: Partial<ImagesConfig> = {}) => {
  const upstream = ending(await startAutomatic1111())
  const changes = {
    IMAGE_GENERATION_ENGINE: 'automatic1111',
    AUTOMATIC1111_BASE_URL: upstream.url,
    AUTOMATIC1111_API_AUTH: 'user:secret',
  }
  return { upstream, ...(await startPictures({ ...changes, ...more })) }
}

it('the gallery shows the pictures of a person alone, page by page, and finds them by their prompt', async () => {
  const { generate, gallery, call } = await startWithSeeds()
  for (let index = 0; index < 4; index += 1)
    expect((await generate({ prompt: `Ship 100% number ${index}`, n: 8 })).status).toBe(200)
  const first = (await gallery()) as { items: Picture[]; total: number }
  const second = (await gallery('?page=2')) as { items: Picture[]; total: number }
  expect([first.items.length, first.total, second.items.length]).toEqual([30, 32, 2])
  expect(first.items[0]!.prompt).toBe('Ship 100% number 3')
  expect((await gallery('?query=100%25%20number%202')).total).toBe(8)
  expect((await gallery('?query=%25nothing%25')).total).toBe(0)
  expect((await gallery('?kind=edited')).total).toBe(0)
  for (const name of ['other', 'admin'] as const) {
    expect((await call(name, 'images/gallery')).body).toEqual({ items: [], total: 0 })
    expect((await call(name, `images/gallery/${first.items[0]!.id}`)).status).toBe(404)
  }
})

it('variations are made with the same settings and another seed, and remember what they vary', async () => {
  const { generate, gallery, call, upstream } = await startWithSeeds()
  await generate({ seed: 7, size: '96x64', steps: 9, negative_prompt: 'Fog' })
  const { items } = await gallery()
  const made = await call('owner', `images/gallery/${items[0].id}/variations`, { body: { n: 2 } })
  expect(made.body).toHaveLength(2)
  expect(made.body[0]).toMatchObject({
    prompt: 'A lighthouse',
    size: '96x64',
    steps: 9,
    negative_prompt: 'Fog',
    source_ids: [items[0].id],
  })
  const sent = upstream.calls.findLast(({ path }) => path.endsWith('txt2img'))!.json()
  expect(sent).toMatchObject({
    width: 96,
    height: 64,
    steps: 9,
    negative_prompt: 'Fog',
    batch_size: 2,
  })
  expect([sent['seed'], made.body[0].seed]).not.toContain(7)
})

it('an edited picture is varied from the pictures it came from, and a received one not at all', async () => {
  const { generate, edit, gallery, call, upstream, server, ids } = await startWithSeeds({
    ENABLE_IMAGE_EDIT: true,
    IMAGE_EDIT_ENGINE: 'automatic1111',
  })
  const [{ url }] = (await generate()).body
  await edit({ image: url })
  const [edited] = (await gallery('?kind=edited')).items
  expect(
    (await call('owner', `images/gallery/${edited.id}/variations`, { body: {} })).body[0],
  ).toMatchObject({ kind: 'edited' })
  expect(
    upstream.calls.at(-1)!.json()['init_images'] ??
      upstream.calls.findLast(({ path }) => path.endsWith('img2img')),
  ).toBeTruthy()
  await call('owner', `images/gallery/${edited.source_ids[0]}`, { method: 'DELETE' })
  expect(
    (await call('owner', `images/gallery/${edited.id}/variations`, { body: {} })).body.detail,
  ).toContain('is gone')
  const facts = { model: 'text', prompt: 'Draw', chat_id: null, message_id: null }
  const received = await server.context.images.keep(ids.owner, upstream.picture, facts)
  expect(
    (await call('owner', `images/gallery/${received.id}/variations`, { body: {} })).status,
  ).toBe(400)
})

it('a picture goes with its file, whichever of them is deleted', async () => {
  const { generate, gallery, call } = await startWithSeeds()
  const made = (await generate({ n: 2 })).body as { url: string }[]
  const [one, two] = made.map(({ url }) => url.split('/').at(-2)!)
  expect((await call('owner', `images/gallery/${one}`, { method: 'DELETE' })).body).toBe(true)
  expect((await call('owner', `files/${one}`)).status).toBe(404)
  expect((await call('owner', `files/${two}`, { method: 'DELETE' })).status).toBe(200)
  expect((await gallery()).items).toEqual([])
  await expect.poll(async () => (await gallery()).total).toBe(0)
})

/** Returns the smallest header of a lossy WebP that declares a size. */
function drawWebp(width: number, height: number, length = 64): string {
  const bytes = Buffer.alloc(length)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(length - 8, 4)
  bytes.write('WEBPVP8 ', 8, 'latin1')
  bytes.writeUInt16LE(width, 26)
  bytes.writeUInt16LE(height, 28)
  return bytes.toString('base64')
}

it('a preview is kept for its picture, read by whoever may read that, and gone with it', async () => {
  const { generate, gallery, call, bytes, tokens, server } = await startWithSeeds()
  await generate()
  const [{ id, preview: none }] = (await gallery()).items
  const address = `/api/v1/images/gallery/${id}/preview`
  const get = (name: 'owner' | 'other' | 'admin') =>
    server.call('GET', address, { token: tokens[name] })
  const put = (name: 'owner' | 'other' | 'admin', data: string) =>
    call(name, `images/gallery/${id}/preview`, { method: 'PUT', body: { data } })
  expect(none).toBeNull()
  expect((await get('owner')).status).toBe(404)
  const fitting = drawWebp(512, 300)
  for (const name of ['other', 'admin'] as const)
    expect((await put(name, fitting)).status).toBe(404)
  const large = drawWebp(64, 64, 64 * 1024 + 1)
  for (const data of [drawWebp(513, 1), large, 'aGk=', bytes.name])
    expect((await put('owner', data)).body.detail).toContain('A preview is a WebP picture')
  expect((await put('owner', 'A'.repeat(100_000))).status).toBe(422)
  expect((await put('owner', drawWebp(8, 8))).body).toBe(true)
  expect((await put('owner', fitting)).body).toBe(true)
  expect((await gallery()).items[0].preview).toBe(address)
  const read = await get('owner')
  expect(Buffer.from(await read.arrayBuffer()).toString('base64')).toBe(fitting)
  expect(read.headers.get('content-type')).toBe('image/webp')
  expect([(await get('admin')).status, (await get('other')).status]).toEqual([200, 404])
  const etag = read.headers.get('etag')!
  // A proxy that compresses replies marks the tag as weak.
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const headers = { authorization: `Bearer ${tokens.owner}`, 'if-none-match': known }
    expect((await fetch(server.url + address, { headers })).status).toBe(304)
  }
  await call('owner', `files/${id}`, { method: 'DELETE' })
  expect((await get('owner')).status).toBe(404)
  const { sqlite } = server.context.storage
  await expect
    .poll(() => sqlite.prepare('select count(*) as count from picture_preview').get())
    .toEqual({ count: 0 })
})

it('the configuration has 33 fields, all needed, keeps masked keys and refuses what cannot work with a sentence', async () => {
  const upstream = ending(await startOpenAiPictures())
  const base = {
    IMAGES_OPENAI_API_BASE_URL: `${upstream.url}/v1`,
    IMAGES_OPENAI_API_KEY: 'sk-pictures',
    COMFYUI_API_KEY: 'comfy',
  }
  const { call, configure, generate } = await startPictures(base)
  expect(Object.keys(imagesConfigSchema.shape)).toHaveLength(33)
  const { body } = await call('admin', 'images/config')
  expect(Object.keys(body).toSorted()).toEqual(Object.keys(imagesConfigSchema.shape).toSorted())
  expect([body.IMAGES_OPENAI_API_KEY, body.COMFYUI_API_KEY, body.IMAGES_GEMINI_API_KEY]).toEqual([
    '********',
    '********',
    '',
  ])
  expect((await configure({ IMAGE_SIZE: '128x128', COMFYUI_API_KEY: '' })).body).toMatchObject({
    IMAGE_SIZE: '128x128',
    COMFYUI_API_KEY: '',
  })
  // The key displayed as a mask still works.
  expect((await generate()).status).toBe(200)
  const { IMAGE_STEPS: _steps, ...missing } = body
  expect((await call('admin', 'images/config/update', { body: missing })).status).toBe(422)
  const refused: readonly [Partial<ImagesConfig>, string][] = [
    [{ IMAGE_SIZE: 'large' }, 'IMAGE_SIZE must be a size'],
    [{ IMAGE_SIZE: null }, 'IMAGE_SIZE must be a size'],
    [{ IMAGE_SIZE: 'auto' }, 'can be auto only'],
    [{ IMAGE_STEPS: -1 }, 'IMAGE_STEPS must be a whole number'],
    [{ IMAGE_STEPS: null }, 'IMAGE_STEPS must be a whole number'],
    [{ IMAGE_STEPS: 1.5 }, 'IMAGE_STEPS must be a whole number'],
    [{ IMAGES_OPENAI_API_PARAMS: '[1]' }, 'must be a JSON object'],
    [{ AUTOMATIC1111_PARAMS: '{"a":' }, 'must be a JSON object'],
    [{ COMFYUI_WORKFLOW: 'no json' }, 'must be a JSON object'],
    [{ COMFYUI_BASE_URL: 'ftp://x' }, 'must be an address'],
  ]
  for (const [changes, words] of refused)
    expect(await configure(changes), words).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(words) },
    })
  expect(
    (
      await configure({
        IMAGE_SIZE: 'auto',
        IMAGE_GENERATION_MODEL: 'gpt-image-1',
        IMAGE_GENERATION_ENGINE: 'whatever',
      })
    ).status,
  ).toBe(200)
  expect((await generate({ size: 'large' })).body.detail).toContain('There is no image engine')
  expect((await call('owner', 'images/config')).status).toBe(401)
})

it('no configuration and no wish of a person is answered with a fault of the gateway', async () => {
  const { call, server, tokens } = await startPictures({
    ENABLE_IMAGE_EDIT: true,
    IMAGES_OPENAI_API_BASE_URL: 'http://127.0.0.1:1/v1',
  })
  const { body } = await call('admin', 'images/config')
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string(),
    fc.constantFrom(null, '', '{}', '[]', '{"__proto__":1}', -1, 1e21, '9x9', []),
  )
  const changed = fc.dictionary(fc.constantFrom(...Object.keys(body)), odd, {
    minKeys: 1,
    maxKeys: 3,
  })
  const names = [
    'prompt',
    'size',
    'n',
    'steps',
    'seed',
    'model',
    'negative_prompt',
    'job_id',
    'image',
    'form_data',
    'background',
  ]
  const wish = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(odd, fc.constantFrom('A ship', '64x64', 1)),
    { maxKeys: 5 },
  )
  const post = async (token: string, path: string, sent: unknown) =>
    (await server.call('POST', `/api/v1/images/${path}`, { token, body: sent })).status
  await fc.assert(
    fc.asyncProperty(changed, wish, async (changes, wished) => {
      // Some of the configured engines exist, and all of those fail at once.
      const config = { ...body, ENABLE_IMAGE_GENERATION: true, ENABLE_IMAGE_EDIT: true, ...changes }
      expect([200, 400, 422]).toContain(await post(tokens.admin, 'config/update', config))
      for (const path of ['generations', 'edit'])
        expect([400, 403, 422]).toContain(
          await post(tokens.owner, path, { prompt: 'A ship', ...wished }),
        )
    }),
    { numRuns: 60 },
  )
}, 60_000)
