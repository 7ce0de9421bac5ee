import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const FONTS = ['inter', 'jetbrains-mono']
/** Font of the first paint; the others are loaded when a text needs them. */
const FIRST = /\/inter-latin-wght-normal-[\w-]+\.woff2$/

const readLicence = (font: string): Buffer =>
  readFileSync(
    path.join(
      path.dirname(
        createRequire(import.meta.url).resolve(`@fontsource-variable/${font}/package.json`),
      ),
      'LICENSE',
    ),
  )

/**
 * Emits the licences of the fonts, and preloads the first font, which the browser would otherwise
 * discover only after parsing the styles.
 */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    generateBundle() {
      for (const font of FONTS)
        this.emitFile({
          type: 'asset',
          fileName: `assets/fonts/LICENSE_${font}.txt`,
          source: readLicence(font),
        })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { path: page, bundle }) {
        if (page !== '/index.html' || !bundle) return []
        const file = Object.keys(bundle).find((name) => FIRST.test(name))
        if (!file) throw new Error('The font of the first paint is not in the build.')
        return [
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `./${file}`,
              crossorigin: true,
            },
            injectTo: 'head',
          },
        ]
      },
    },
  }
}
