import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { drawPng } from '../testing/draw-png.ts'
import { startAutomatic1111 } from '../testing/picture-servers/automatic1111.ts'
import { startComfy } from '../testing/picture-servers/comfyui.ts'
import { startGemini } from '../testing/picture-servers/gemini.ts'
import { startOpenAiPictures } from '../testing/picture-servers/openai-pictures.ts'
import { ending, startPictures } from '../testing/start-pictures.ts'

const DATA = `data:image/png;base64,${drawPng(4, 4).toString('base64')}`

async function startWithOpenAi(more: object = {}) {
  const upstream = ending(await startOpenAiPictures())
  const base = `${upstream.url}/v1`
  const pictures = await startPictures({
    IMAGE_GENERATION_ENGINE: 'openai',
    IMAGE_GENERATION_MODEL: 'dall-e-3',
    IMAGES_OPENAI_API_BASE_URL: base,
    IMAGES_OPENAI_API_KEY: 'sk-pictures',
    IMAGES_EDIT_OPENAI_API_BASE_URL: base,
    IMAGES_EDIT_OPENAI_API_KEY: 'sk-pictures',
    ...more,
  })
  return { ...pictures, upstream }
}

it.each(['/v1', '/api'])('the openai SDK below %s gets pictures, or says why not', async (base) => {
  const { gallery, server, tokens, upstream, configure } = await startWithOpenAi()
  const baseURL = server.url + base
  const client = new OpenAI({ apiKey: tokens.owner, baseURL, maxRetries: 0 })
  const wish = { prompt: 'A lighthouse', n: 2, size: '256x256', quality: 'hd' } as const
  const { created, data } = await client.images.generate({ ...wish, response_format: 'b64_json' })
  expect(created).toBeGreaterThan(1_700_000_000)
  const bytes = data!.map(({ b64_json: text }) => Buffer.from(text!, 'base64'))
  expect(bytes).toEqual([upstream.picture, upstream.picture])
  expect((await gallery()).total).toBe(2)
  await expect(client.images.generate({ ...wish, stream: true })).rejects.toThrow(/422/)
  expect((await client.images.generate({ ...wish, size: 'auto' })).data).toHaveLength(2)
  await configure({ ENABLE_IMAGE_GENERATION: false })
  await expect(client.images.generate(wish)).rejects.toThrow(/403/)
})

it('an OpenAI endpoint makes pictures, which are files of the person and entries of the gallery', async () => {
  const { generate, gallery, bytes, call, upstream } = await startWithOpenAi()
  const made = await generate({ size: '256x256', n: 2, model: 'of-the-person' })
  expect(made.status).toBe(200)
  expect(made.body).toEqual(
    [0, 1].map(() => ({ url: expect.stringMatching(/^\/api\/v1\/files\/[\w-]+\/content$/) })),
  )
  expect(upstream.calls.map((each) => each.json())).toEqual([
    {
      model: 'dall-e-3',
      prompt: 'A lighthouse',
      n: 2,
      size: '256x256',
      response_format: 'b64_json',
    },
  ])
  expect(await bytes(made.body[0].url)).toEqual(upstream.picture)
  const id = made.body[0].url.split('/').at(-2)
  expect((await call('owner', `files/${id}`)).body).toMatchObject({
    filename: 'generated-image.png',
    meta: { content_type: 'image/png', data: { prompt: 'A lighthouse', size: '256x256' } },
  })
  expect((await call('other', `files/${id}`)).status).toBe(404)
  const { items, total } = await gallery()
  expect(total).toBe(2)
  expect(items[1]).toMatchObject({
    id,
    prompt: 'A lighthouse',
    model: 'dall-e-3',
    size: '256x256',
    width: 8,
    height: 8,
    kind: 'generated',
  })
})

it('a picture that is named by its address is fetched with the key from the endpoint itself, and from nowhere inside this computer', async () => {
  const { generate, bytes, upstream } = await startWithOpenAi()
  upstream.mode = { url: `${upstream.url}/picture.png` }
  const made = await generate()
  expect(await bytes(made.body[0].url)).toEqual(upstream.picture)
  expect(upstream.calls.at(-1)!.headers.authorization).toBe('Bearer sk-pictures')
  const inside = ending(await startOpenAiPictures())
  upstream.mode = { url: `${inside.url}/picture.png` }
  expect(await generate()).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('not on the public internet') },
  })
  expect(inside.calls).toEqual([])
})

it('edits are refused while they are off', async () => {
  const { edit, configure, upstream } = await startWithOpenAi()
  expect((await edit({ form_data: { image: DATA, prompt: 'Make it winter' } })).status).toBe(403)
  expect(upstream.calls).toEqual([])
  await configure({ ENABLE_IMAGE_EDIT: true })
  expect((await edit({ form_data: { image: DATA, prompt: 'Make it winter' } })).status).toBe(200)
})

it('edits send one picture as image and several as image[], remember where they come from, and hold foreign files back', async () => {
  const { edit, generate, gallery, upstream, call } = await startWithOpenAi({
    ENABLE_IMAGE_EDIT: true,
    IMAGE_EDIT_MODEL: 'gpt-image-1',
  })
  const [{ url }] = (await generate()).body
  expect((await edit({ image: url, model: 'gpt-image-9', size: '64x64' })).status).toBe(200)
  const one = upstream.calls.at(-1)!
  expect(one.headers['content-type']).toMatch(/^multipart\/form-data/)
  expect(one.body.includes(upstream.picture)).toBe(true)
  expect(one.body.toString('latin1')).toMatch(
    /name="model"\r\n\r\ngpt-image-9\r\n[^]*name="image"; filename="image-0.png"/,
  )
  expect(
    (
      await call('owner', 'images/edit', {
        body: { form_data: { image: [DATA, url], prompt: 'Both' } },
      })
    ).status,
  ).toBe(200)
  expect(upstream.calls.at(-1)!.body.toString('latin1')).toContain('name="image[]"')
  const { items } = await gallery('?kind=edited')
  expect(items[1]).toMatchObject({
    model: 'gpt-image-9',
    source_ids: [url.split('/').at(-2)],
    prompt: 'Make it winter',
  })
  const foreign = await call('other', 'images/edit', { body: { image: url, prompt: 'Mine now' } })
  expect(foreign).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('There is no picture to edit') },
  })
  for (const image of [
    'nonsense of words',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'http://127.0.0.1:1/x.png',
    'no-such-file',
  ])
    expect((await edit({ image })).status, image).toBe(400)
})

it('an endpoint that answers chats with pictures makes them too', async () => {
  const upstream = ending(await startOpenAiPictures())
  const { generate, bytes } = await startPictures({
    IMAGE_GENERATION_ENGINE: 'chat',
    IMAGE_GENERATION_MODEL: 'flash-image',
    IMAGES_OPENAI_API_BASE_URL: `${upstream.url}/v1`,
    IMAGES_OPENAI_API_KEY: 'sk-pictures',
  })
  const made = await generate({ n: 2 })
  expect(made.body).toHaveLength(2)
  expect(await bytes(made.body[1].url)).toEqual(upstream.picture)
  expect(upstream.calls[0]!.json()).toMatchObject({
    model: 'flash-image',
    modalities: ['image', 'text'],
    messages: [{ role: 'user', content: 'A lighthouse' }],
  })
})

it('AUTOMATIC1111 loads the model, tells its steps and seeds, and edits with img2img', async () => {
  const upstream = ending(await startAutomatic1111())
  const { generate, edit, gallery, call } = await startPictures({
    IMAGE_GENERATION_ENGINE: 'automatic1111',
    IMAGE_EDIT_ENGINE: 'automatic1111',
    ENABLE_IMAGE_EDIT: true,
    AUTOMATIC1111_BASE_URL: upstream.url,
    AUTOMATIC1111_API_AUTH: 'user:secret',
    AUTOMATIC1111_PARAMS: { cfg_scale: 6 },
    IMAGE_STEPS: 12,
  })
  expect((await call('admin', 'images/config/url/verify')).body).toBe(true)
  expect((await call('owner', 'images/models')).body[1]).toEqual({
    id: 'second.safetensors [aa]',
    name: 'second',
  })
  const made = await generate({
    model: 'second.safetensors [aa]',
    size: '64x32',
    n: 2,
    seed: 7,
    negative_prompt: 'Fog',
  })
  expect(made.status).toBe(200)
  expect(upstream.loaded).toBe('second.safetensors [aa]')
  const sent = upstream.calls.find(({ path }) => path === '/sdapi/v1/txt2img')!.json()
  const expected = {
    batch_size: 2,
    width: 64,
    height: 32,
    steps: 12,
    seed: 7,
    negative_prompt: 'Fog',
    cfg_scale: 6,
  }
  expect(sent).toEqual({ prompt: 'A lighthouse', ...expected })
  const { items } = await gallery()
  expect(
    items.map(({ seed, steps, model }: Record<string, unknown>) => [seed, steps, model]),
  ).toEqual([
    [8, 12, 'second.safetensors [aa]'],
    [7, 12, 'second.safetensors [aa]'],
  ])
  expect((await edit({ image: made.body[0].url })).status).toBe(200)
  const edited = upstream.calls.find(({ path }) => path === '/sdapi/v1/img2img')!.json()
  expect(edited['init_images']).toEqual([upstream.picture.toString('base64')])
})

it('ComfyUI runs the workflow with the values in its nodes', async () => {
  const upstream = ending(await startComfy())
  const { generate, gallery, bytes, call } = await startPictures({
    IMAGE_GENERATION_ENGINE: 'comfyui',
    COMFYUI_BASE_URL: upstream.url,
    COMFYUI_API_KEY: 'comfy-key',
    IMAGE_SIZE: '640x384',
  })
  expect((await call('admin', 'images/config/url/verify')).body).toBe(true)
  expect((await call('owner', 'images/models')).body).toEqual(
    ['one', 'two'].map((name) => ({ id: `${name}.safetensors`, name: `${name}.safetensors` })),
  )
  const made = await generate({ model: 'two.safetensors', seed: 99, steps: 5 })
  expect(made.status).toBe(200)
  expect(await bytes(made.body[0].url)).toEqual(upstream.picture)
  const { prompt } = upstream.calls.find(({ path }) => path === '/prompt')!.json() as {
    prompt: Record<string, { inputs: object }>
  }
  expect(prompt['3']!.inputs).toMatchObject({ seed: 99, steps: 5 })
  expect(prompt['4']!.inputs).toEqual({ ckpt_name: 'two.safetensors' })
  expect(prompt['5']!.inputs).toEqual({ width: 640, height: 384, batch_size: 1 })
  expect(prompt['6']!.inputs).toMatchObject({ text: 'A lighthouse' })
  expect(upstream.calls.find(({ path }) => path.startsWith('/view'))!.path).toBe(
    '/view?filename=chat_1.png&subfolder=a+b&type=output',
  )
  expect(upstream.calls.every(({ headers }) => headers.authorization === 'Bearer comfy-key')).toBe(
    true,
  )
  expect((await gallery()).items[0]).toMatchObject({
    seed: 99,
    steps: 5,
    engine: 'comfyui',
    size: '640x384',
  })
})

it('ComfyUI edits an uploaded picture', async () => {
  const upstream = ending(await startComfy())
  const { edit } = await startPictures({
    ENABLE_IMAGE_EDIT: true,
    IMAGE_EDIT_ENGINE: 'comfyui',
    IMAGES_EDIT_COMFYUI_BASE_URL: upstream.url,
    IMAGES_EDIT_COMFYUI_WORKFLOW: JSON.stringify({
      1: { class_type: 'LoadImage', inputs: {} },
      2: { class_type: 'Text', inputs: {} },
    }),
    IMAGES_EDIT_COMFYUI_WORKFLOW_NODES: [
      { type: 'image', key: 'image', node_ids: ['1'] },
      { type: 'prompt', node_ids: [2] },
      { type: 'style', key: 'style', node_ids: ['2'], value: 'oil' },
    ],
  })
  expect((await edit({ image: DATA })).status).toBe(200)
  const { prompt } = upstream.calls.find(({ path }) => path === '/prompt')!.json()
  expect(prompt).toEqual({
    1: { class_type: 'LoadImage', inputs: { image: 'in/uploaded.png' } },
    2: { class_type: 'Text', inputs: { text: 'Make it winter', style: 'oil' } },
  })
})

it.each([
  ['imagen-3.0-generate-002', '', '/v1beta/models/imagen-3.0-generate-002:predict'],
  ['gemini-image', '', '/v1beta/models/gemini-image:generateContent'],
  ['imagen-4', 'generateContent', '/v1beta/models/imagen-4:generateContent'],
])('Gemini makes pictures with %s by its method %j', async (model, method, path) => {
  const upstream = ending(await startGemini())
  const { generate, edit } = await startPictures({
    IMAGE_GENERATION_ENGINE: 'gemini',
    IMAGE_GENERATION_MODEL: model,
    IMAGES_GEMINI_API_BASE_URL: `${upstream.url}/v1beta`,
    IMAGES_GEMINI_API_KEY: 'gemini-key',
    IMAGES_GEMINI_ENDPOINT_METHOD: method,
    ENABLE_IMAGE_EDIT: true,
    IMAGE_EDIT_ENGINE: 'gemini',
    IMAGE_EDIT_MODEL: 'gemini-image',
    IMAGES_EDIT_GEMINI_API_BASE_URL: `${upstream.url}/v1beta`,
    IMAGES_EDIT_GEMINI_API_KEY: 'gemini-key',
  })
  expect((await generate({ n: 2 })).body).toHaveLength(2)
  expect(upstream.calls[0]!.path).toBe(path)
  expect((await edit({ image: DATA })).status).toBe(200)
  const { contents } = upstream.calls.at(-1)!.json() as { contents: [{ parts: unknown[] }] }
  expect(contents[0].parts).toEqual([
    { text: 'Make it winter' },
    { inlineData: { mimeType: 'image/png', data: DATA.split(',')[1] } },
  ])
})
