import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const FONTS = ['inter', 'jetbrains-mono']
/** What the first paint is set in; everything else is fetched when a text asks for it. */
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
 * Ships the licences beside the fonts, and lets the page ask for the first font together with its
 * styles: without that the browser would find it only after it read them.
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
