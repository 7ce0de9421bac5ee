import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTemporaryFolder } from './create-temporary-folder.ts'

const LAYER = 'application/vnd.ollama.image.'

/**
 * Writes a model folder of a runtime that stores weights as blobs: one model under three names, and
 * manifests that are damaged or point outside the folder. Returns the folder.
 */
export function writeBlobStore(model: Buffer): string {
  const folder = createTemporaryFolder()
  const digest = createHash('sha256').update(model).digest('hex')
  mkdirSync(path.join(folder, 'blobs'), { recursive: true })
  writeFileSync(path.join(folder, 'blobs', `sha256-${digest}`), model)
  const write = (place: string, text: string): void => {
    const file = path.join(folder, 'manifests', place)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const list = (blob: string): string =>
    JSON.stringify({
      schemaVersion: 2,
      layers: [
        { mediaType: `${LAYER}license`, digest: `sha256:${'0'.repeat(64)}`, size: 1 },
        { mediaType: `${LAYER}model`, digest: blob, size: model.length },
      ],
    })
  write('registry.ollama.ai/library/blob-model/latest', list(`sha256:${digest}`))
  write('registry.ollama.ai/library/blob-model/2b', list(`sha256:${digest}`))
  write('registry.ollama.ai/someone/other/latest', list(`sha256:${digest}`))
  write('registry.ollama.ai/library/broken/latest', '{"layers": [')
  write('registry.ollama.ai/library/broken/outside', list('sha256:../../../etc/passwd'))
  return folder
}
