import { onTestFinished } from 'vitest'
import type { ImagesConfig } from '#contract/images.ts'
import { startLibrary } from './start-library.ts'

/** Starts a gateway whose images come from a scripted server, which ends with the test. */
export async function startPictures(
  changes: Partial<ImagesConfig>,
  environment: Readonly<Record<string, string>> = {},
) {
  const library = await startLibrary(environment)
  const { call } = library
  const configure = async (more: Partial<ImagesConfig>) => {
    const { body } = await call('admin', 'images/config')
    return call('admin', 'images/config/update', { body: { ...body, ...more } })
  }
  const { status, body } = await configure({ ENABLE_IMAGE_GENERATION: true, ...changes })
  if (status !== 200) throw new Error(`The configuration was refused: ${JSON.stringify(body)}`)
  return {
    ...library,
    configure,
    generate: (more: object = {}) =>
      call('owner', 'images/generations', { body: { prompt: 'A lighthouse', ...more } }),
    edit: (more: object) =>
      call('owner', 'images/edit', { body: { prompt: 'Make it winter', ...more } }),
    gallery: async (query = '') => (await call('owner', `images/gallery${query}`)).body,
    /** Returns the bytes of an image as served to its owner. */
    bytes: async (url: string, name: 'owner' | 'other' | 'admin' = 'owner'): Promise<Buffer> => {
      const token = library.tokens[name]
      return Buffer.from(await (await library.server.call('GET', url, { token })).arrayBuffer())
    },
  }
}

/** Closes a scripted server at the end of the test. */
export function ending<Server extends { close(): Promise<void> }>(server: Server): Server {
  onTestFinished(() => server.close())
  return server
}
