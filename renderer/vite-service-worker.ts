import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { transformWithOxc, type Plugin } from 'vite'

const SOURCE = path.join(import.meta.dirname, 'service-worker.ts')

/**
 * Emits the service worker beside the page, under a constant name, where browsers look for a newer
 * one. Each build has a different version, because browsers compare the content.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    async generateBundle(_, bundle) {
      const version = createHash('sha256')
        .update(Object.keys(bundle).toSorted().join())
        .digest('hex')
      const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE)
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: code.replace('__SHELL_VERSION__', JSON.stringify(version.slice(0, 12))),
      })
    },
  }
}
