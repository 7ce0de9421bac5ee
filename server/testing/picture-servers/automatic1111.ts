import { servePictures, type PictureServer } from './serve-pictures.ts'

export type Automatic1111 = PictureServer & { interrupted: number; loaded: string }

/** AUTOMATIC1111's `/sdapi/v1`: options, models, txt2img, img2img, progress and interrupt. */
export async function startAutomatic1111(): Promise<Automatic1111> {
  const state = { interrupted: 0, loaded: 'first.safetensors [aa]' }
  const server = await servePictures((call, reply) => {
    const path = call.path.split('?')[0]!.replace('/sdapi/v1/', '')
    if (call.headers.authorization !== `Basic ${Buffer.from('user:secret').toString('base64')}`) {
      reply.response.writeHead(401, { 'Content-Type': 'application/json' })
      return void reply.response.end(JSON.stringify({ detail: 'Incorrect username or password' }))
    }
    switch (path) {
      case 'options':
        if (call.method === 'GET') return reply.json({ sd_model_checkpoint: state.loaded })
        state.loaded = String(call.json()['sd_model_checkpoint'])
        return reply.pictures(() => null)
      case 'sd-models':
        return reply.json(
          ['first', 'second'].map((name) => ({
            title: `${name}.safetensors [aa]`,
            model_name: name,
          })),
        )
      case 'progress':
        return reply.json({
          progress: 0.4,
          eta_relative: 3,
          state: { sampling_step: 8, sampling_steps: 20, job: 'scripts_txt2img' },
        })
      case 'interrupt':
        state.interrupted += 1
        return reply.json({})
      case 'txt2img':
      case 'img2img': {
        const { batch_size: count, seed = 41 } = call.json() as {
          batch_size: number
          seed?: number
        }
        const seeds = Array.from({ length: count }, (_, index) => seed + index)
        const info = JSON.stringify({ seed, all_seeds: seeds, infotexts: ['x'.repeat(5000)] })
        return reply.pictures((base64) => ({
          images: seeds.map(() => base64),
          parameters: {},
          info,
        }))
      }
      default:
        return void reply.response.writeHead(404).end()
    }
  })
  return Object.defineProperties(server, {
    interrupted: { get: () => state.interrupted },
    loaded: { get: () => state.loaded },
  }) as Automatic1111
}
