import { servePictures, type PictureServer } from './serve-pictures.ts'

/** The Gemini API's `:predict` and `:generateContent`. */
export async function startGemini(): Promise<PictureServer> {
  return servePictures((call, reply) => {
    if (call.headers['x-goog-api-key'] !== 'gemini-key') {
      reply.response.writeHead(403, { 'Content-Type': 'application/json' })
      return void reply.response.end(
        JSON.stringify({
          error: { code: 403, message: 'API key not valid.', status: 'PERMISSION_DENIED' },
        }),
      )
    }
    if (call.path.endsWith(':predict')) {
      const { parameters } = call.json() as { parameters: { sampleCount: number } }
      return reply.pictures((base64) => ({
        predictions: Array.from({ length: parameters.sampleCount }, () => ({
          mimeType: 'image/png',
          bytesBase64Encoded: base64,
        })),
      }))
    }
    reply.pictures((base64) => {
      const parts = [
        { text: 'Here it is.' },
        { inlineData: { mimeType: 'image/png', data: base64 } },
      ]
      return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }
    })
  })
}
