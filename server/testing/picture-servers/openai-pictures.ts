import { servePictures, type PictureServer } from './serve-pictures.ts'

/** Format of the images: base64, or a URL. */
export type OpenAiPictures = PictureServer & { mode: 'bytes' | { url: string } }

/**
 * Starts an endpoint with `/images/generations`, `/images/edits` and `/chat/completions` that
 * responds with images.
 */
export async function startOpenAiPictures(): Promise<OpenAiPictures> {
  const state: { mode: OpenAiPictures['mode'] } = { mode: 'bytes' }
  const server = await servePictures((call, reply) => {
    const [path] = call.path.split('?')
    if (path === '/picture.png')
      return void reply.response.setHeader('Content-Type', 'image/png').end(reply.server.picture)
    if (call.headers.authorization !== 'Bearer sk-pictures') {
      reply.response.writeHead(401, { 'Content-Type': 'application/json' })
      return void reply.response.end(
        JSON.stringify({ error: { message: 'Incorrect API key provided.' } }),
      )
    }
    if (path === '/v1/chat/completions') {
      return reply.pictures((base64) => {
        const images = [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
        ]
        return {
          id: 'c1',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: 'Here.', images },
              finish_reason: 'stop',
            },
          ],
        }
      })
    }
    if (path !== '/v1/images/generations' && path !== '/v1/images/edits')
      return void reply.response.writeHead(404).end()
    const n = path === '/v1/images/generations' ? Number(call.json()['n'] ?? 1) : 1
    const { mode } = state
    reply.pictures((base64) => {
      const one = mode === 'bytes' ? { b64_json: base64 } : { url: mode.url }
      return { created: 1, data: Array.from({ length: n }, () => one) }
    })
  })
  return Object.defineProperty(server, 'mode', {
    get: () => state.mode,
    set(mode: OpenAiPictures['mode']) {
      state.mode = mode
    },
  }) as OpenAiPictures
}
