import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeUpstream, startFakeServer } from '../../testing/fake-upstream/fake-server.ts'
import { startProxies, type Proxies } from '../../testing/start-proxies.ts'
import { fetchFile, isLibraryAddress } from './fetch-file.ts'

let proxies: Proxies
const opened: FakeUpstream[] = []
afterEach(async () => {
  await proxies?.close()
  for (const server of opened.splice(0)) await server.close()
})

const leftovers = (): string[] => {
  const folder = path.join(proxies.server.dataDir, 'model-files')
  return existsSync(folder) ? readdirSync(folder) : []
}

function upload(
  name: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${proxies.server.url}/llmhost/models/upload?filename=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${proxies.admin}`,
      'Content-Type': 'application/octet-stream',
      ...headers,
    },
    body,
  })
}

describe('a model file', () => {
  it('that is uploaded becomes a model under its name, and leaves nothing behind', async () => {
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
    const content = 'GGUF model content'
    const events = await (await upload('Tiny-Model.gguf', content)).text()
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
    const last = events.trimEnd().split('\n\n').at(-1)!
    expect(JSON.parse(last.slice('data: '.length))).toEqual({
      done: true,
      blob: digest,
      name: 'Tiny-Model.gguf',
      model_created: 'tiny-model',
    })
    const sent = (start: string) =>
      proxies.runtimes[0]!.requests.find(({ path: address }) => address.startsWith(start))
    const [blob, create] = [sent('/api/blobs/'), sent('/api/create')]
    expect([blob!.path, blob!.text]).toEqual([`/api/blobs/${digest}`, content])
    expect(create!.json).toEqual({
      model: 'tiny-model',
      files: { 'Tiny-Model.gguf': digest },
      stream: false,
    })
    expect(leftovers()).toEqual([])
    expect((await proxies.post('/llmhost/api/show', { model: 'tiny-model' })).status).toBe(200)
  })

  it('may come as the part of a form, under its own name or the one in the address', async () => {
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
    const send = async (part: string, name: string, query = '') => {
      const form = new FormData()
      form.append(part, new Blob(['GGUF in a form']), name)
      const headers = { Authorization: `Bearer ${proxies.admin}` }
      return fetch(`${proxies.server.url}/llmhost/models/upload${query}`, {
        method: 'POST',
        headers,
        body: form,
      })
    }
    expect(await (await send('file', 'Form-Model.gguf')).text()).toContain(
      '"model_created":"form-model"',
    )
    expect(await (await send('file', 'any.gguf', '?filename=Named.gguf')).text()).toContain(
      '"model_created":"named"',
    )
    const blob = proxies.runtimes[0]!.requests.find(({ path: address }) =>
      address.startsWith('/api/blobs/'),
    )
    expect(blob!.text).toBe('GGUF in a form')
    for (const refused of [
      await send('file', '.hidden'),
      await send('other', 'a.gguf'),
      await send('file', 'a.gguf', '/7'),
    ]) {
      expect([400, 404]).toContain(refused.status)
    }
    expect(leftovers()).toEqual([])
  })

  it('row 91: needs a plain name and its own media type', async () => {
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
    for (const name of ['', '..', '.hidden', 'a b', 'a\u0000b', 'x'.repeat(190)]) {
      expect([400, 422]).toContain((await upload(name, 'x')).status)
    }
    expect((await upload('a.gguf', 'x', { 'Content-Type': 'application/json' })).status).toBe(415)
    expect(leftovers()).toEqual([])
  })

  it('that the runtime refuses leaves its sentence and nothing else', async () => {
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
    await proxies.runtimes[0]!.close()
    expect(await (await upload('a.gguf', 'x')).text()).toContain('nothing is listening')
    expect(leftovers()).toEqual([])
  })
})

describe('a fetched model file', () => {
  it('comes from a known library only', async () => {
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
    const addresses = [
      'http://127.0.0.1:9/a.gguf',
      'http://huggingface.co/a.gguf',
      'https://huggingface.co.evil.example/a.gguf',
      'https://huggingface.co@evil.example/a.gguf',
      'file:///etc/passwd',
    ]
    for (const url of addresses) {
      expect(isLibraryAddress(url)).toBe(false)
      expect((await proxies.post('/llmhost/models/download', { url })).status).toBe(400)
    }
    const undecodable = await proxies.post('/llmhost/models/download', {
      url: 'https://huggingface.co/%zz.gguf',
    })
    expect(undecodable.status).toBe(400)
    await proxies.server.context.settings.update({ OFFLINE_MODE: true })
    expect(
      (await proxies.post('/llmhost/models/download', { url: 'https://huggingface.co/a.gguf' }))
        .status,
    ).toBe(503)
  })

  it('is a 502 when the library cannot be reached', async () => {
    const { signal } = new AbortController()
    const isAllowed = (): boolean => true
    await expect(
      fetchFile('http://127.0.0.1:9/a.gguf', { signal, isAllowed }),
    ).rejects.toMatchObject({ status: 502 })
    await expect(
      fetchFile('http://nowhere.invalid/a.gguf', { signal, isAllowed }),
    ).rejects.toMatchObject({ status: 502 })
  })

  it('is found behind redirects of the library, and nowhere else', async () => {
    const library = await startFakeServer('', ({ recorded, response }) => {
      if (recorded.path === '/a.gguf')
        return response.writeHead(302, { location: '/files/a' }).end()
      if (recorded.path === '/evil.gguf')
        return response.writeHead(302, { location: 'http://169.254.169.254/secret' }).end()
      return response.writeHead(200, { 'content-length': '7' }).end('content')
    })
    opened.push(library)
    const { signal } = new AbortController()
    const isAllowed = (url: URL): boolean => url.origin === library.url
    const file = await fetchFile(`${library.url}/a.gguf`, { signal, isAllowed })
    const parts: Buffer[] = []
    for await (const part of file.chunks) parts.push(part)
    await file.close()
    expect([file.length, Buffer.concat(parts).toString()]).toEqual([7, 'content'])
    await expect(
      fetchFile(`${library.url}/evil.gguf`, { signal, isAllowed }),
    ).rejects.toMatchObject({ status: 400 })
    await expect(fetchFile(`${library.url}/a.gguf`, { signal })).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('a file that a client of the runtime sends by its hash', () => {
  const content = 'GGUF of another client'
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  const send = (method: 'HEAD' | 'POST', token: string) =>
    fetch(`${proxies.server.url}/ollama/api/blobs/${digest}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
      ...(method === 'POST' && { body: content }),
    })

  it('goes on byte for byte, and so does the question whether it is there', async () => {
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
    expect((await send('HEAD', proxies.admin)).status).toBe(404)
    expect((await send('POST', proxies.admin)).status).toBe(201)
    expect((await send('HEAD', proxies.admin)).status).toBe(200)
    const asked = proxies.runtimes[0]!.requests.filter(({ path: way }) => way.includes('/blobs/'))
    expect(asked.map(({ method, path: way, text }) => [method, way, text])).toEqual([
      ['HEAD', `/api/blobs/${digest}`, ''],
      ['POST', `/api/blobs/${digest}`, content],
      ['HEAD', `/api/blobs/${digest}`, ''],
    ])
  })
})
